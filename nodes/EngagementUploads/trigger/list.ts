/** Reads the upload list (docs/service.md#uploads) from a date on, completely: nothing depends on its order. */
import { listUploads } from '../service/endpoints';
import type { ServiceClient } from '../transport/client';
import { readList } from '../transport/pages';
import { formatFilterTime } from '../values/dates';
import type { TriggerSettings } from './settings';
import { readUpload, type SeenUpload } from './upload';

/** The service's filter for each date. */
const DATE_FILTERS = { completionDate: 'completedDateFrom', creationDate: 'createdDateFrom' };

/** The uploads from a date on (epoch milliseconds) whose date the event depends on. */
export async function readUploads(
	client: ServiceClient,
	{ event, pageSize }: Pick<TriggerSettings, 'event' | 'pageSize'>,
	from: number,
	{ isNewestFirst = false, limit }: { isNewestFirst?: boolean; limit?: number } = {},
): Promise<SeenUpload[]> {
	const { date } = event;
	// There were no uploads before 1970.
	const earliest = Math.max(0, Math.floor(from));
	// Oldest first, new uploads come at the end, and pages do not shift.
	const orderBy = isNewestFirst ? `-${date}` : date;
	const query = { [DATE_FILTERS[date]]: formatFilterTime(earliest, client.zone), orderBy };
	const optional = ['orderBy', 'size'] as const;
	const call = { ...listUploads(query, 'look for uploads'), optional };
	const records = await readList(client, call, { pageSize, limit });
	return records.flatMap((record) => readUpload(record, date, client.zone) ?? []);
}
