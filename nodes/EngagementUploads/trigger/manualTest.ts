/** A test in the editor shows the latest matching uploads. It neither reads nor changes the state. */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Emission } from './cursor';
import type { PollMode } from './pollMode';
import { openSession, type Session } from './session';
import { MAX_ENGAGEMENT_IDS } from '../service/endpoints';
import { assertConnectorsExist, readTriggerSettings } from './settings';
import { fetchWorkflows, toItem } from './steps';
import { connectorNames, otherNames } from '../fields/filters';
import { InputError, joinFirst, quote } from '../values/inputError';
import { byTime, isReadable, type SeenUpload } from './upload';

const MAX_SHOWN = 5;
/** How many uploads are looked through, if they come latest first. */
const MAX_RECORDS = 2000;
/** Larger pages would read too many uploads. */
const MAX_PAGE_SIZE = 200;

export async function testTrigger(
	context: IPollFunctions,
	mode: PollMode,
): Promise<INodeExecutionData[]> {
	const settings = readTriggerSettings(context);
	// Start Date is not used, but the user learns whether it is valid.
	settings.readStartDate();
	const pageSize = Math.min(settings.pageSize, MAX_PAGE_SIZE);
	const session = await openSession(context, mode, { ...settings, pageSize });
	const connectors = await assertConnectorsExist(settings, session.list.client);
	const names = new Set<unknown>();
	const latest = await findLatest(session, names);
	if (connectors.length > 0) assertFilterable(otherNames(names, connectors), session);
	const workflows = await fetchWorkflows(session, latest);
	return latest.map((emission) => toItem(session, emission, workflows));
}

/** @throws InputError if uploads name their connectors in another way, so that the filter excludes all */
function assertFilterable(others: string[], { list: { client } }: Session): void {
	if (others.length === 0) return;
	const shown = others.map((name) => quote(client.toSafeText(name)));
	throw new InputError(
		`No upload can match ${connectorNames.property.displayName}, because uploads use different connector names from the service's list of connectors: ${joinFirst(shown)}`,
		"Remove this filter, and use a Filter node on 'connectorName' instead",
	);
}

async function findLatest({ settings, list }: Session, names: Set<unknown>): Promise<Emission[]> {
	const { event, matches, filters } = settings;
	const { engagementIds = [] } = filters;
	let records = 0;
	let earliest = Infinity;
	let isSorted = true;
	const found: SeenUpload[] = [];
	const pages = list.pages({
		queryFrom: 0,
		order: 'newestFirst',
		engagementIds: engagementIds.length <= MAX_ENGAGEMENT_IDS ? filters.engagementIds : undefined,
		needed: () => (isSorted ? MAX_RECORDS - records : Infinity),
	});
	for await (const page of pages) {
		records += page.records.length;
		for (const { connectorName } of page.records) names.add(connectorName);
		if (!list.mayBeSortedByDate(page)) isSorted = false;
		for (const upload of list.uploadsOn(page)) {
			if (isReadable(upload.time)) {
				if (upload.time > earliest) isSorted = false;
				earliest = upload.time;
			}
			const occurrence = event.occurrence(upload, list.client.serviceTime, settings);
			if (occurrence !== undefined && matches(upload.record)) found.push(upload);
		}
		const isEnough = isSorted && (found.length >= MAX_SHOWN || records >= MAX_RECORDS);
		if (isEnough || list.isTimeUp) break;
	}
	const shown = found.sort(byTime).slice(-MAX_SHOWN);
	return shown.map((upload) => ({ upload, ...(event.isRepeating && { previousStatus: null }) }));
}
