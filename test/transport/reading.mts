import {
	readPage,
	readRecord,
	readResponse,
	type Reader,
} from '../../nodes/EngagementUploads/transport/responses.ts';
import { upload } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import type { RecordKind } from '../../nodes/EngagementUploads/transport/request.ts';

/** What a reader makes of a body, or why it cannot be read. */
export function readWith<T>(read: Reader<T>, body: unknown, status = 200): unknown {
	const response = readResponse({ status, headers: {}, body }, read);
	if ('value' in response) return response.value;
	return 'detail' in response ? response.detail : response;
}
export const pageIn = (body: unknown, kind: RecordKind = upload) =>
	readWith((each) => readPage(each, kind), body);
export const countIn = (body: unknown, kind: RecordKind = upload) =>
	readWith((each) => readPage(each, kind).records.length, body);
export const recordIn = (body: unknown, kind: RecordKind = upload) =>
	readWith((each) => readRecord(each, kind), body);
