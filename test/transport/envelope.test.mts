/** A page is a list of records of its kind, or an error: no other response is “no records”. */
import fc from 'fast-check';
import {
	listConnectorUploads,
	listEngagements,
	listUploads,
} from '../../nodes/EngagementUploads/service/endpoints.ts';
import { kinds } from '../../nodes/EngagementUploads/service/records.ts';
import {
	isRecord,
	namedIn,
	type RecordKind,
} from '../../nodes/EngagementUploads/transport/request.ts';
import { listKinds } from '../support/world/kinds.mts';
import { countIn, pageIn, readWith } from './reading.mts';
import { readPage, type RecordPage } from '../../nodes/EngagementUploads/transport/responses.ts';

const { connector, engagement, period, upload, user } = kinds;
const DOUBTFUL = /^it has an empty list, but beside it stands [\w.]+$/;

type Json = Record<string, unknown>;

/** The bodies in a text, as services print them. */
const bodies = (text: string) => JSON.parse(`[${text}]`) as Json[];

/** Errors with status 200, as they may stand beside an empty list, or instead of one. */
const FAILURES = bodies(`
	{"success": false}, {"success": "false"}, {"ok": false}, {"isSuccess": 0}, {"success": "failed"},
	{"error": "Token expired"}, {"error": true}, {"error": {"message": "Down"}}, {"errors": ["x"]},
	{"errors": [{"message": "size is too large", "id": "E1"}]}, {"errors": 2}, {"hasError": true},
	{"fault": {"faultstring": "Down"}}, {"exception": "java.lang.Exception"}, {"failed": true},
	{"status": "error"}, {"status": 404}, {"meta": {"status": 500}}, {"status": {"code": "ERROR"}},
	{"code": 401}, {"code": "NOT_FOUND"}, {"statusCode": 401, "message": "Access denied"},
	{"timestamp": "2026-03-01T10:15:30", "status": 500, "error": "Internal Server Error"}
`);

it.each(FAILURES)('beside %j, no empty list is believed, but records are', (failure) => {
	for (const { kind: name, records } of listKinds) {
		const kind: RecordKind = kinds[name];
		expect(countIn({ ...failure, content: records }, kind)).toBe(records.length);
		expect(typeof countIn(failure, kind)).toBe('string');
		for (const more of [{ data: null }, { content: [] }, { data: { items: [] }, last: true }])
			expect(countIn({ ...failure, ...more }, kind)).toMatch(DOUBTFUL);
	}
});

/** What is empty, or says that all is well. */
const GOOD = bodies(`
	{}, {"success": true}, {"success": "true"}, {"ok": 1}, {"isSuccess": "Yes"},
	{"error": false}, {"error": null}, {"error": ""}, {"errors": []}, {"errors": {}}, {"errors": [null]},
	{"error": {"code": 0, "message": null}}, {"errorCode": 0}, {"errorCode": "0000"}, {"failedCount": 0},
	{"status": "success"}, {"status": "OK"}, {"status": 201}, {"status": true}, {"code": "200"},
	{"meta": {"status": 200, "errors": []}}, {"message": null}, {"messages": []}, {"details": []}
`);

it.each(GOOD)('beside %j, an empty list is believed', (fields) => {
	for (const list of [{ content: [] }, { data: null }, { data: { content: [] } }, { uploads: [] }])
		expect(countIn({ ...fields, ...list })).toBe(0);
});

/** What may be an error, unless there are page fields, which no error has. */
const UNKNOWN = bodies(`
	{"message": "Your subscription is suspended"}, {"notice": "Maintenance until 6 pm"},
	{"state": "DEGRADED"}, {"reason": "user lacks permission"}, {"requestId": "7f3a"},
	{"facets": [{"name": "x"}]}, {"sort": {"property": "Id"}}
`);

it.each(UNKNOWN)('beside %j, an empty list is believed only with page fields', (fields) => {
	expect(countIn({ ...fields, content: [] })).toMatch(DOUBTFUL);
	for (const page of [{ last: true }, { totalPages: 0 }, { totalElements: 0 }, { size: 50 }])
		expect(countIn({ ...fields, content: [], ...page })).toBe(0);
});

it.each(
	bodies(`
		{"uploads": [{"upload_id": "a"}], "facets": [], "last": true},
		{"content": [{"upload_id": "a"}], "facets": [], "last": true},
		{"data": {"content": [{"upload_id": "a"}], "facets": []}, "last": true}
	`),
)('no other empty list is taken for that of %j', (body) => {
	expect(countIn(body)).toMatch(/\[0\]: expected uploadId, got upload_id$/);
});

it.each(
	bodies(`
		{"data": [], "uploads": [{"uploadId": "a"}]}, {"content": [], "items": [{"uploadId": "a"}]},
		{"data": {"content": []}, "uploads": [{"uploadId": "a"}]},
		{"uploads": [{"uploadId": "a"}], "facets": [{"name": "x"}], "tags": [{"id": "x"}]},
		{"response": {"uploads": [{"uploadId": "a"}]}}
	`),
)('the list of %j is the one that has records', (body) => {
	expect(countIn(body)).toBe(1);
});

it.each<[what: string, kind: RecordKind, record: Json]>([
	['an upload', upload, { uploadId: 'a', status: 'ERROR', error: 'broken file', success: false }],
	['an engagement', engagement, { Id: 7, status: 'FAILED' }],
	['a connector', connector, { id: '7', name: 'a', isRefreshable: 'No', status: 'error' }],
	['a user', user, { id: 7, email: 'a@example.com', statusCode: 'EXPIRED', status: 0 }],
])('%s may say that it has failed, alone and in a list', (_what, kind, record) => {
	for (const body of [record, { data: record }, [record], { content: [record] }])
		expect(countIn(body, kind)).toBe(1);
});

it.each<[name: string, kind: RecordKind, records: Json[], why: string]>([
	['upload', upload, [{ upload_id: 'a', status: 'x' }], ': expected uploadId, got upload_id'],
	['upload', upload, [{ UploadId: 'a' }], ': expected uploadId, got UploadId'],
	['upload', upload, [{ upload: { uploadId: 'a' } }], ': expected uploadId, got upload'],
	['upload', upload, [{ uploadId: null }, {}], ' is empty'],
	['engagement', engagement, [{ ID: 1, name: 'a' }], ': expected Id or id or engagementId, got ID'],
	['user', user, [{ firstName: 'Ann' }], ': expected id or email, got firstName'],
	['connector', connector, [{ name: 'a' }], ': expected name and isRefreshable, got name'],
	[
		'period',
		period,
		[{ uploadId: 'a', periodId: '1' }],
		': expected uploadId + yearId + periodId or yearId + periodId, got uploadId, periodId',
	],
])('what is no %s is an error that says why (%#)', (_name, kind, records, why) => {
	expect(countIn(records, kind)).toBe(`list[0]${why}`);
	expect(countIn({ content: records, last: true, totalElements: 2 }, kind)).toBe(
		`content[0]${why}`,
	);
});

it.each<[string, RecordKind, Json[]]>([
	['uploads', upload, [{ uploadId: 'a' }, {}]],
	['engagements', engagement, [{ Id: 1 }]],
	['engagements', engagement, [{ id: '1', name: 'a', Status: 'x', createdAt: 1 }]],
	['engagements', engagement, [{ engagementId: 1, relationshipManager: 'x' }]],
	['users', user, [{ id: 1, unknown_field: 'x' }]],
	['users', user, [{ email: 'a@example.com' }]],
	['connectors', connector, [{ id: 1, name: null }]],
	['connectors', connector, [{ name: 'a', isRefreshable: null }]],
	[
		'periods',
		period,
		[
			{ yearId: '2026', name: 'the year' },
			{ yearId: '2026', periodId: '1' },
		],
	],
])('%s may lack fields, and have others (%#)', (_name, kind, records) => {
	expect(countIn({ content: records }, kind)).toBe(records.length);
});

it('an empty list is believed beside a time, and beside what the request named', () => {
	const named = namedIn(listConnectorUploads(1001, 'cloudbooks', { uploadId: 'AB-1' }), 'c-7');
	for (const more of [
		{ timestamp: '2026-03-01T10:15:30Z', requestedAt: 1_772_360_130_000 },
		{ engagementId: 1001, filter: { uploadId: 'ab-1' } },
	])
		expect(
			readWith((body) => readPage(body, upload, named), { ...more, uploads: [] }),
		).toMatchObject({
			records: [],
		});
	const other = { engagementId: 1002, uploads: [] };
	expect(readWith((body) => readPage(body, upload, named), other)).toMatch(DOUBTFUL);
	expect(namedIn(listUploads(), 'C-7')).toEqual(new Set(['c-7']));
});

it('an error beside the records of a list is kept, for a hint', () => {
	const content = [{ uploadId: 'a' }];
	const complaint = (more: Json) => (pageIn({ content, ...more }) as RecordPage).complaint;
	expect(complaint({ success: false })).toEqual({ success: false });
	expect(complaint({ errors: ['x'], success: true })).toEqual({ errors: ['x'] });
	for (const more of [{ error: null, errors: [], success: true }, { lastErrorDate: 'x' }])
		expect(complaint(more)).toBeUndefined();
});

it('engagements found by external ID must show it', () => {
	const { kind } = listEngagements({ externalEngagementId: 'a,b' });
	expect(countIn([{ Id: 1, name: 'a' }], kind)).toMatch(/expected Id \+ externalEngagementId or/);
	expect(countIn([{ Id: 1 }, { Id: 2, externalEngagementId: 'a' }], kind)).toBe(2);
	expect(countIn([], kind)).toBe(0);
	expect(countIn([{ Id: 1 }], listEngagements({ page: 0 }).kind)).toBe(1);
});

it.each([
	[{ a: { uploadId: 'a' }, b: { uploadId: 'b' } }, 'several records, but not as a list'],
	[{ data: { 1: { uploadId: 'a' }, 2: { uploadId: 'b' } } }, /several records/],
	[{ one: [{ uploadId: 'a' }], other: [{ uploadId: 'b' }] }, 'it contains several lists'],
	[{ content: [{ uploadId: 'a' }, 'text'] }, /something other than records/],
	[{ content: [[{ uploadId: 'a' }]] }, 'expected uploadId, got content'],
	[{ content: [null, null] }, 'it is empty'],
	[['a', 'b'], 'it is not a record'],
	[{ id: 'request-1', message: 'Down' }, 'expected uploadId, got id, message'],
	['[{"uploadId":"a"}]', /not JSON/],
	[{ message: 'Hello' }, 'expected uploadId, got message'],
	[null, 'it is not a record'],
	[0, 'it is not a record'],
	[{}, 'it is empty'],
])('%# %j is neither a list nor a record', (body, why) => {
	expect(countIn(body)).toMatch(why);
});

it('an envelope with an `id` of its own is no engagement, nor a user', () => {
	for (const kind of [engagement, user] as RecordKind[]) {
		expect(countIn({ id: 'request-1', message: 'Down' }, kind)).toMatch(/got id, message$/);
		expect(countIn({ id: 'request-1', content: [], last: true }, kind)).toBe(0);
		expect(countIn({ id: 'request-1', content: [{ id: 7 }] }, kind)).toBe(1);
		expect(countIn({ content: [], links: [{ id: 'next' }], last: true }, kind)).toBe(0);
		expect(countIn({ violations: [{ id: 'size' }] }, kind)).toMatch(/^violations\[0\]: .* got id$/);
	}
});

it('whatever the service sends, it is records with an ID, an empty page or an error', () => {
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
			else expect(all).toMatch(/\[\]|null/);
		}),
	);
});
