/** An empty list is believed only if nothing around it says otherwise. */
import fc from 'fast-check';
import {
	listConnectorUploads,
	listUploads,
} from '../../nodes/EngagementUploads/service/endpoints.ts';
import { kinds } from '../../nodes/EngagementUploads/service/records.ts';
import {
	isRecord,
	namedIn,
	type RecordKind,
} from '../../nodes/EngagementUploads/transport/request.ts';
import { readPage, type RecordPage } from '../../nodes/EngagementUploads/transport/responses.ts';
import { listKinds } from '../support/world/kinds.mts';
import { countIn, pageIn, readWith } from './reading.mts';

const { upload } = kinds;
const DOUBTFUL = /^besides an empty list, it contains [\w.]+$/;

type Json = Record<string, unknown>;

/** The bodies in a text, as services print them. */
const bodies = (text: string) => JSON.parse(`[${text}]`) as Json[];

/** Errors with status 200, as they may stand beside an empty list, or instead of one. */
const FAILURES = bodies(`
	{"success": false}, {"success": "failed"}, {"isSuccess": 0}, {"error": "Token expired"}, {"error": true},
	{"errors": [{"message": "size is too large", "id": "E1"}]}, {"hasError": true},
	{"fault": {"faultstring": "Down"}}, {"exception": "java.lang.Exception"}, {"failed": true},
	{"status": "error"}, {"meta": {"status": 500}}, {"code": "NOT_FOUND"}
`);

it.each(FAILURES)('beside %j, no empty list is believed, but records are', (failure) => {
	for (const { kind: name, records } of listKinds) {
		const kind: RecordKind = kinds[name];
		expect(countIn({ ...failure, content: records }, kind)).toBe(records.length);
		const failed = records.map((record) => ({ ...failure, ...record }));
		expect(countIn(failed, kind)).toBe(records.length);
		expect(typeof countIn(failure, kind)).toBe('string');
		for (const more of [{ data: null }, { content: [] }, { data: { items: [] }, last: true }])
			expect(countIn({ ...failure, ...more }, kind)).toMatch(DOUBTFUL);
	}
});

/** What is empty, or says that all is well. */
const GOOD = bodies(`
	{}, {"success": true}, {"success": "true"}, {"success": "OK"}, {"ok": 1}, {"error": false}, {"error": ""}, {"errors": [null]},
	{"error": {"code": 0, "message": null}}, {"errorCode": "0000"}, {"status": "OK"}, {"status": 201},
	{"message": null}, {"details": []}, {"timestamp": "2026-03-01T10:15:30Z"}
`);

it.each(GOOD)('beside %j, an empty list is believed', (fields) => {
	for (const list of [{ content: [] }, { data: null }, { data: { content: [] } }, { uploads: [] }])
		expect(countIn({ ...fields, ...list })).toBe(0);
});

/** What may be an error, unless there are page fields, which no error has. */
const UNKNOWN = bodies(`
	{"message": "Your subscription is suspended"}, {"requestId": "7f3a"}, {"facets": [{"name": "x"}]}
`);

it.each(UNKNOWN)('beside %j, an empty list is believed only with page fields', (fields) => {
	expect(countIn({ ...fields, content: [] })).toMatch(DOUBTFUL);
	for (const page of [{ last: true }, { totalPages: 0 }, { totalElements: 0 }, { size: 50 }])
		expect(countIn({ ...fields, content: [], ...page })).toBe(0);
});

it('an empty list is believed beside what the request named', () => {
	const named = namedIn(listConnectorUploads(1001, 'cloudbooks', { uploadId: 'AB-1' }), 'c-7');
	const read = (more: Json) =>
		readWith((body) => readPage(body, upload, named), { ...more, uploads: [] });
	const more = { engagementId: 1001, filter: { uploadId: 'ab-1' } };
	expect(read(more)).toMatchObject({ records: [] });
	expect(read({ engagementId: 1002 })).toMatch(DOUBTFUL);
	expect(namedIn(listUploads(), 'C-7')).toEqual(new Set(['c-7']));
});

it.each<[list: string, body: Json, means: unknown]>([
	['with records', { data: { content: [] }, uploads: [{ uploadId: 'a' }] }, 1],
	['with records that are uploads', { uploads: [{ uploadId: 'a' }], tags: [{ id: 'x' }] }, 1],
	['under a usual name', { content: [], links: [{ rel: 'next' }], last: true }, 0],
	['that is not empty', { content: [{ upload_id: 'a' }], totalPages: 0 }, 'content[0]'],
	[
		'that is not empty',
		{ uploads: [{ size: 1, upload_id: 'a' }], facets: [], last: true },
		'uploads[0]',
	],
])('of several lists, the one %s counts', (_list, body, means) => {
	expect(countIn(body)).toEqual(
		typeof means === 'string' ? `${means}: expected uploadId, got upload_id` : means,
	);
});

it('an error beside the records of a list is kept, for a hint', () => {
	const content = [{ uploadId: 'a' }];
	const complaint = (more: Json) => (pageIn({ content, ...more }) as RecordPage).complaint;
	expect(complaint({ success: false })).toEqual({ success: false });
	expect(complaint({ errors: ['x'], success: true })).toEqual({ errors: ['x'] });
	expect(complaint({ errors: ['x'], success: 0 })).toEqual({ errors: ['x'], success: 0 });
	for (const more of [{ error: null, errors: [], success: true }, { lastErrorDate: 'x' }])
		expect(complaint(more)).toBeUndefined();
});

it('whatever the service sends, it is records with an ID, a believed empty page or an error', () => {
	const names = fc.constantFrom(
		...['content', 'data', 'uploads', 'error', 'status', 'message', 'last', 'uploadId', 'id'],
	);
	const { body } = fc.letrec<{ body: unknown }>((tie) => ({
		body: fc.oneof(
			{ depthSize: 'small' },
			fc.constantFrom(null, true, false, 0, 200, 500, '', 'OK', 'text'),
			fc.array(tie('body'), { maxLength: 3 }),
			fc.array(fc.tuple(names, tie('body')), { maxLength: 4 }).map(Object.fromEntries),
		),
	}));
	fc.assert(
		fc.property(body, (sent) => {
			const page = pageIn(sent) as string | { records: unknown[] };
			if (typeof page === 'string') return;
			const { records } = page;
			const all = JSON.stringify(sent);
			if (records.length > 0) expect(records.some((each) => isRecord(each, upload))).toBe(true);
			else {
				expect(all).toMatch(/\[\]|null/);
				expect(all).not.toMatch(/"(error|status)":(500|"text")/);
			}
		}),
	);
});
