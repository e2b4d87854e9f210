/** A test in the editor shows the latest uploads, whatever the state. */
import { listConnectors } from '../service/endpoints';
import { connectorNames } from '../fields/uploadFilters';
import type { ServiceClient } from '../transport/client';
import { readList } from '../transport/pages';
import { InputError, quote } from '../values/inputError';
import { folded } from '../values/text';
import type { Emission } from './cursor';
import type { UploadList } from './list';
import type { TriggerSettings } from './settings';
import { byTime, type SeenUpload } from './upload';

const MAX_SHOWN = 5;
const MAX_RECORDS = 2000;
/** Larger pages would read too many uploads. */
export const MAX_PAGE_SIZE = 200;

export async function showLatest(
	list: UploadList,
	{ event, parameters, filters, matches }: TriggerSettings,
): Promise<Emission[]> {
	await assertConnectorsExist(list.client, filters.connectorNames);
	let [records, earliest, isSorted] = [0, Infinity, true];
	const found: SeenUpload[] = [];
	const needed = () => MAX_RECORDS - records;
	for await (const page of list.pages({ from: 0, order: 'newestFirst', needed })) {
		records += page.records.length;
		if (list.isOtherOrder(page)) isSorted = false;
		for (const upload of list.uploadsOn(page)) {
			if (upload.time > earliest) isSorted = false;
			earliest = upload.time;
			const occurrence = event.occurrence(upload, list.client.serviceTime, parameters);
			if (occurrence !== undefined && matches(upload.record)) found.push(upload);
		}
		const isEnough = isSorted && found.length >= MAX_SHOWN;
		if (isEnough || records >= MAX_RECORDS || list.isTimeUp) break;
	}
	const shown = found.sort(byTime).slice(-MAX_SHOWN);
	return shown.map((upload) => ({ upload, ...(event.isRepeating && { previousStatus: null }) }));
}

/** @throws InputError for a name in the filter that no connector has */
async function assertConnectorsExist(client: ServiceClient, names: string[] = []): Promise<void> {
	if (names.length === 0) return;
	const connectors = await readList(client, listConnectors());
	const existing = new Set(connectors.map(({ name }) => folded(name)));
	const unknown = names.find((name) => !existing.has(folded(name)));
	if (unknown === undefined) return;
	throw new InputError(
		`${connectorNames.property.displayName} ${quote(unknown)} is not the name of a connector`,
		'Choose the connectors from the list, or remove the filter',
	);
}
