/**
 * Engagement > Get Data Status: the engagement list with the last upload of each, so that one node
 * answers whose data is old, missing or stuck. Memory holds the output and one chunk.
 */
import type { IDataObject } from 'n8n-workflow';
import * as api from '../../api/endpoints';
import type { Engagement } from '../../api/records';
import { engagementFilters } from '../../fields/engagement';
import { choices, number } from '../../fields/field';
import { options } from '../../fields/options';
import { paging } from '../../fields/paging';
import { dataStatusRecord, type UploadHistory } from '../../output/dataStatus';
import { engagementIdOf } from '../../api/shape';
import type { LastUploadsOptions } from '../../search/lastUploads';
import { UploadHistories } from '../../search/uploadHistories';
import { fitsUrl } from '../../transport/address';
import { inSlices } from '../../values/clock';
import { recordPages } from '../../transport/pages';
import { isAbsent, toText } from '../../values/text';
import { reads, type Operation } from '../operation';
import { engagementListing } from './getAll.operation';

const HOUR = 3_600_000;
/**
 * How many engagements are read before their last uploads are requested, side by side. If the
 * number of matches is unknown, they are few at first, to avoid reading more than needed.
 */
const [MIN_CHUNK, MAX_CHUNK] = [api.MAX_ENGAGEMENT_IDS, 64 * api.MAX_ENGAGEMENT_IDS];

const fields = {
	dataStatuses: choices(
		'Data Statuses',
		'Which engagements to return; all if none is selected',
		{
			unknown: ['Unknown', 'The service does not say, although it does for others'],
			never: ['Never', 'There is no upload'],
			failed: ['Failed', 'The last upload failed'],
			running: ['Running', 'The last upload is in progress'],
			stuck: ['Stuck', 'The last upload has been in progress for longer than Stuck After'],
			stale: ['Stale', 'The last upload was completed longer ago than Stale After'],
			fresh: ['Fresh', 'The last upload was completed recently'],
		},
		// The empty field only says “Select”.
		{ hint: 'All if none is selected' },
	),
	staleAfter: number(
		'Stale After (Days)',
		'Number of days for which an upload counts as fresh after its completion',
		{ default: 30, min: 0, max: 36_500, unit: 24 * HOUR },
	),
	stuckAfter: number(
		'Stuck After (Hours)',
		'Number of hours that an upload may be in progress before it counts as stuck',
		{ default: 6, min: 0, max: 8760, unit: HOUR },
	),
	...paging,
	filters: engagementFilters,
	options: options('pageSize'),
};

export const getDataStatus = {
	resource: 'engagement',
	operation: 'getStatus',
	name: 'Get Data Status',
	action: 'Get data status of many engagements',
	description:
		'Get the data status of many engagements (customers): whose data is fresh or stale, whose last upload failed or is stuck, and who has never shared any',
	...reads(fields, (execution) => {
		const { client, hints } = execution;
		const { zone } = client;
		const histories = new UploadHistories(client);
		return (item) => {
			const { dataStatuses, limit = Infinity, stuckAfter, filters, options: own } = item.values;
			const isFiltered = [dataStatuses, ...Object.values(filters)].some(
				(each) => each !== undefined,
			);
			const { requests, matches } = engagementListing(item, execution);
			histories.include(2 * stuckAfter, own.pageSize);
			// With a filter, it is not known how many engagements have to be read.
			const most = dataStatuses === undefined ? limit : Infinity;
			const list = { pageSize: own.pageSize, limit: most, matches };
			const first = limit === Infinity || dataStatuses === undefined ? MAX_CHUNK : MIN_CHUNK;
			return async () => {
				const found: IDataObject[] = [];
				const needed = () => limit - found.length;
				const pages = recordPages(client, requests, list, needed);
				for await (const engagements of inChunks(pages, first, needed, matches)) {
					const uploads = await historiesOf(engagements, histories, own);
					const rules = { ...item.values, now: client.serviceTime, zone };
					for await (const [at, each] of inSlices(engagements.entries())) {
						const record = dataStatusRecord(each, uploads[at], rules);
						if (dataStatuses?.includes(record.dataStatus) ?? true) found.push(record);
					}
					if (found.length >= limit) break;
				}
				if (found.length === 0 && isFiltered) hints.add('nothingMatched', item.index);
				return found.slice(0, limit);
			};
		};
	}),
} as const satisfies Operation;

/** In chunks of at most `first`, and twice as many each time, or fewer if no more are needed. */
async function* inChunks(
	pages: AsyncIterable<Engagement[]>,
	first: number,
	needed: () => number,
	matches: (record: Engagement) => boolean = () => true,
): AsyncGenerator<Engagement[], void, undefined> {
	let [size, waiting]: [number, Engagement[]] = [first, []];
	for await (const page of pages) {
		for (const each of page) if (matches(each)) waiting.push(each);
		while (waiting.length >= Math.max(1, Math.min(size, needed()))) {
			yield waiting.slice(0, size);
			waiting = waiting.slice(size);
			size = Math.min(2 * size, MAX_CHUNK);
		}
	}
	if (waiting.length > 0) yield waiting;
}

/** The history of each engagement, unless the service does not answer for it. */
async function historiesOf(
	engagements: Engagement[],
	histories: UploadHistories,
	options: LastUploadsOptions,
): Promise<Array<UploadHistory | undefined>> {
	const ids = engagements.map((each) => toText(engagementIdOf(each)));
	const found = await histories.of(
		ids.filter((id) => !isAbsent(id) && fitsUrl(id)),
		{ pageSize: options.pageSize, timeout: options.timeout },
	);
	return ids.map((id) => found.get(id));
}
