/** Engagement > Get Data Status: the engagement list with the last upload of each. */
import type { IDataObject } from 'n8n-workflow';
import { builderHint, choices, number } from '../../fields/field';
import { dataStatusFilters } from '../../fields/filters';
import { options } from '../../fields/options';
import { computedOutput } from '../../fields/output';
import { paging } from '../../fields/paging';
import {
	ageOfData,
	dataStatusMeanings,
	dataStatusRecord,
	type UploadHistory,
} from '../../service/dataStatus';
import { selectFields, simplify } from '../../service/kind';
import { engagement as kind, readEngagementId, type Engagement } from '../../service/records';
import { lastUpload } from '../../service/uploadRecords';
import { readLists, recordPages } from '../../transport/pages';
import { DAY, HOUR } from '../../values/clock';
import { toText } from '../../values/text';
import type { ItemOf } from '../item';
import { defineOperation } from '../operation';
import type { Run } from '../run';
import { engagementListing } from './getAll.operation';
import { UploadHistories } from './uploadHistories';

const fields = {
	dataStatuses: choices(
		'Data Statuses',
		'Which engagements to return',
		{
			unknown: ['Unknown', 'The service answered for other engagements, but not for this one'],
			disabled: ['Disabled', 'The engagement is disabled, as the last upload says'],
			never: ['Never', 'No upload yet'],
			failed: ['Failed', 'The last upload failed'],
			running: ['Running', 'The last upload is in progress'],
			stuck: ['Stuck', 'The last upload has been in progress for longer than Stuck After'],
			stale: ['Stale', 'The last upload was completed longer ago than Stale After'],
			fresh: ['Fresh', 'The last upload was completed recently'],
		},
		{
			// The empty field only says “Select”.
			hint: 'All if none is selected',
			...builderHint('The statuses the user asks for; then no Filter or If node is needed'),
		},
	),
	staleAfter: number('Stale After (Days)', 'Days after which a completed upload counts as stale', {
		default: 30,
		min: 0,
		max: 36_500,
		unit: DAY,
	}),
	stuckAfter: number(
		'Stuck After (Hours)',
		'Number of hours that an upload may be in progress before it counts as stuck',
		{ default: 6, min: 0, max: 8760, unit: HOUR },
	),
	...paging,
	filters: dataStatusFilters,
	...computedOutput('engagement', dataStatusMeanings),
	options: options('pageSize'),
};

export const getDataStatus = defineOperation({
	resource: 'engagement',
	operation: 'getStatus',
	name: 'Get Data Status',
	action: 'Get data status of many engagements',
	description:
		'Get the data status of many engagements (customers): whose data is fresh or stale, whose last upload failed or is stuck, and who has never shared any',
	fields,
	async execute(items, run) {
		const stuckAfter = items.reduce((most, { values }) => Math.max(most, values.stuckAfter), 0);
		const histories = new UploadHistories(run, stuckAfter);
		await run.readEach(items, async (item) => await getStatuses(item, run, histories));
		histories.addHint();
	},
});

type StatusItem = ItemOf<typeof fields>;

async function getStatuses(
	item: StatusItem,
	run: Run,
	histories: UploadHistories,
): Promise<IDataObject[]> {
	const { client, hints } = run;
	const { dataStatuses, filters, limit = Infinity, options: own, ...rules } = item.values;
	const { pageSize, timeout } = own;
	const { requests, matches, atEnd } = engagementListing(item, run);
	const found: IDataObject[] = [];
	const needed = () => limit - found.length;
	// With a filter by status or age, it is unknown how many engagements have to be read.
	const { olderThan } = filters;
	const isFiltered = dataStatuses !== undefined || olderThan !== undefined;
	const most = isFiltered ? () => Infinity : needed;
	const onShift = () => hints.add('listChanged', 'engagements');
	const list = { pageSize, limit: most(), matches, onShift };
	// Without a limit, all last uploads are requested together.
	const pages =
		limit === Infinity
			? [await readLists(client, requests, { ...list, map: (record) => record })]
			: recordPages(client, requests, list, needed);
	for await (const page of pages) {
		const engagements = page.slice(0, most());
		const ids = engagements.map((each) => toText(readEngagementId(each)));
		const uploads = await histories.find(ids, { pageSize, timeout });
		for (const [at, each] of engagements.entries()) {
			const now = { now: client.serviceTime, zone: client.zone };
			if (found.length >= limit) break;
			const id = ids[at] ?? '';
			const history = uploads.get(id);
			const record = dataStatusRecord(each, history, { ...rules, ...now });
			if (dataStatuses?.includes(record.dataStatus) === false) continue;
			if (history?.isCompletedUnknown) hints.add('withoutCompletion', id);
			const age = ageOfData(history, now) ?? -Infinity;
			if (olderThan !== undefined && age <= olderThan) continue;
			found.push(toOutput(record, each, history, item, client.zone));
		}
		if (found.length >= limit) return found;
	}
	atEnd?.();
	return found;
}

/** A data status record in the form that Output selects; its own values precede the engagement's. */
function toOutput(
	status: IDataObject,
	engagement: Engagement,
	history: UploadHistory | undefined,
	{ values: { output, fields: names = [] } }: StatusItem,
	zone: string,
): IDataObject {
	if (output === 'simplified') return status;
	const own = simplify(engagement, kind, { zone });
	const { active } = simplify(history?.last ?? {}, lastUpload, { zone });
	return selectFields(names, { ...own, active, ...status }, engagement, kind, { zone });
}
