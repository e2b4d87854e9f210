/** The last uploads of engagements (interface section 4.5), asked for together. */
import type { IDataObject } from 'n8n-workflow';
import { toText } from '../values/text';
import { CLIENT_ID } from '../transport/address';
import { Batch } from '../transport/batch';
import { isRefusal } from '../transport/errors';
import { upload } from '../api/kinds';
import { readList } from '../transport/list';
import type { Call, ServiceClient } from '../transport/client';
import type { Query } from '../transport/url';

const PATH = `/v1/clients/${CLIENT_ID}/lastUploads`;
const MOST_ENGAGEMENTS = 100;

/** How last uploads are asked for, beside the engagements. */
export interface LastUploadsRequest {
	pageSize: number;
	query?: Query;
	/** milliseconds */
	timeout: number;
}

/** A batch that finds the last upload of an engagement by its ID. */
export function lastUploads(
	service: ServiceClient,
	request: LastUploadsRequest,
): Batch<IDataObject> {
	const other = new URLSearchParams(request.query as Record<string, string>).toString();
	return new Batch({
		fetch: async (ids) => await fetchLastUploads(service, ids, request),
		most: MOST_ENGAGEMENTS,
		mostCharacters: service.roomIn(`${PATH}?engagementIds=&${other}`),
		parallel: service.options.parallel,
		isRefusal,
	});
}

async function fetchLastUploads(
	service: ServiceClient,
	ids: string[],
	{ pageSize, query, timeout }: LastUploadsRequest,
): Promise<Map<string, IDataObject>> {
	const call: Call = {
		method: 'GET',
		path: PATH,
		query: { engagementIds: ids.join(','), ...query },
		purpose:
			ids.length === 1 ? `get the last upload of engagement ${ids[0]}` : 'get the last uploads',
		timeout,
	};
	const listed = await readList(service, call, upload, { pageSize });
	const records = listed.filter(({ uploadId }) => uploadId !== null && uploadId !== '');
	// Where the service sends several for an engagement, the one that stands first is the latest.
	const keyOf = ({ engagementId }: IDataObject) =>
		toText(engagementId ?? (ids.length === 1 ? ids[0] : ''));
	return new Map(records.reverse().map((record) => [keyOf(record), record]));
}
