/** What a response contains: a record is what has its ID, and what is neither a record nor a list is an error. */
import fc from 'fast-check';
import { createdEngagement, kinds } from '../../nodes/EngagementUploads/service/records.ts';
import { refreshResult, uploadStart } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import {
	isRecord,
	recordId,
	type RecordKind,
} from '../../nodes/EngagementUploads/transport/request.ts';
import {
	readPage,
	readRecord,
	readResponse,
	type Reader,
	type RecordPage,
} from '../../nodes/EngagementUploads/transport/responses.ts';

const { upload, engagement, company, period, workflow } = kinds;

type Json = Record<string, unknown>;
const one = { uploadId: 'a' };
const two = { uploadId: 'b' };

/** What a reader makes of a body, or why it cannot be read. */
function readWith<T>(read: Reader<T>, body: unknown, status = 200): unknown {
	const response = readResponse({ status, headers: {}, body }, read);
	if ('value' in response) return response.value;
	return 'detail' in response ? response.detail : response;
}
const pageIn = (body: unknown) => readWith((each) => readPage(each, upload), body);
const countIn = (body: unknown, kind: RecordKind = upload) =>
	readWith((each) => readPage(each, kind).records.length, body);
const recordIn = (body: unknown, kind: RecordKind) =>
	readWith((each) => readRecord(each, kind), body);

/** Where a list may stand, with other fields beside it. */
const places: Record<string, (list: unknown[], beside: Json) => unknown> = {
	content: (content, beside) => ({ ...beside, content }),
	data: (data, beside) => ({ data, ...beside }),
	items: (items, beside) => ({ items, ...beside }),
	results: (results, beside) => ({ results, ...beside }),
	'content of data': (content, beside) => ({ ...beside, data: { content } }),
	'content of data, with all': (content, beside) => ({ data: { content, ...beside } }),
	_embedded: (uploads, beside) => ({ ...beside, _embedded: { uploads }, _links: {} }),
	'the only list': (uploads, beside) => ({ uploads, ...beside }),
};

describe.each(Object.entries(places))('a list (%s)', (_, place) => {
	it.each<[beside: Json, list: unknown[], means: number | string]>([
		[{}, [one, two], 2],
		[{ count: 2, message: 'Two' }, [one, {}], 2],
		[{ size: 2, sort: null }, [], 0],
		[{ error: null, errors: [], success: true, count: 0 }, [], 0],
		[{ errors: [] }, [one], 1],
		[
			{ message: 'Suspended' },
			[],
			'its list is empty, but the fields beside it do not look like those of an empty list',
		],
		[{ error: 'Down' }, [one], 'it is an error'],
		[{ errors: ['Down'], last: true }, [], 'it is an error'],
		[{ success: 'false' }, [one], 'it is an error'],
		[{}, [{ upload_id: 'a' }], 'none of its records has uploadId'],
		[{}, [one, 'text'], 'it is not a list of records'],
	])('with %j, %j is %s', (beside, list, means) => {
		expect(countIn(place(list, beside))).toBe(means);
	});
});

it.each<[body: unknown, means: number | string]>([
	[[one, two], 2],
	[[], 0],
	[{ one: [one], other: [one] }, 'it is not a list of records'],
	[{ statusCode: 500, message: 'Down' }, 'it is not a list of records'],
	[one, 'it is not a list of records'],
	[null, 'it is not a list of records'],
])('%j as a list is %s', (body, means) => {
	expect(countIn(body)).toBe(means);
});

it.each<[sent: Json, means: RecordPage['page']]>([
	[{}, {}],
	[
		{ last: false, totalPages: 3, sort: [{ property: 'Id' }] },
		{ last: false, totalPages: 3 },
	],
	[{ page: { totalPages: 3 } }, { totalPages: 3 }],
])('the page fields %j mean %j', (sent, page) => {
	expect(pageIn({ content: [one], ...sent })).toEqual({ records: [one], page });
});

it('whatever the service sends, it is records with an ID, an empty list or an error', () => {
	const names = fc.constantFrom(...['content', 'data', 'uploads', 'error', 'code', 'uploadId']);
	const { body } = fc.letrec<{ body: unknown }>((tie) => ({
		body: fc.oneof(
			{ depthSize: 'small' },
			fc.constantFrom(null, true, false, 0, 500, '', 'text'),
			fc.array(tie('body'), { maxLength: 3 }),
			fc.array(fc.tuple(names, tie('body')), { maxLength: 4 }).map(Object.fromEntries),
		),
	}));
	fc.assert(
		fc.property(body, (sent) => {
			const page = pageIn(sent) as string | RecordPage;
			if (typeof page === 'string') return;
			if (page.records.length > 0)
				expect(page.records.some((each) => isRecord(each, upload))).toBe(true);
			else expect(JSON.stringify(sent)).not.toMatch(/500|text/);
			expect((sent as Json).error ?? false).not.toBe('text');
		}),
	);
});

describe('a record', () => {
	it.each<{ kind: RecordKind; record: Json }>([
		{ kind: company, record: { name: 'ACME', townCity: null } },
		{ kind: workflow, record: { ...one, status: 'FAILED', steps: [{ name: 'Load' }] } },
		{ kind: uploadStart, record: { type: 'DOWNLOAD', productClientUrl: 'https://example.com' } },
		{ kind: refreshResult, record: { action: null } },
		{ kind: createdEngagement, record: { Id: 7 } },
		{ kind: upload, record: { ...one, error: 'the file is broken' } },
	])('$record is read bare, under a usual name, and alone in a list', ({ kind, record }) => {
		for (const body of [record, { data: record }, { items: [record] }, [record]])
			expect(recordIn(body, kind)).toEqual(record);
	});

	it.each<[body: unknown, why: string, kind: RecordKind]>([
		[[one, one], 'it has no uploadId', upload],
		[{ anything: one }, 'it has no uploadId', upload],
		[{ townCity: null }, 'it is empty', company],
		[{ id: 'request-1', status: 'x' }, 'it has no Id', createdEngagement],
		[{ type: 'https://example.com/errors', title: 'No' }, 'it has no redirectUrl', uploadStart],
		[{ success: false, data: { action: 'x' } }, 'it is an error', refreshResult],
	])('is not %j', (body, why, kind) => {
		expect(recordIn(body, kind)).toMatch(why);
	});

	it('that has its ID is read beside errors', () => {
		const body = { data: { Id: 7 }, errors: ['No email'] };
		expect(recordIn(body, createdEngagement)).toEqual({ Id: 7 });
	});

	it.each(['connector', 'engagement', 'lastUpload', 'period', 'upload', 'user'] as const)(
		'of the kind %s is known by its ID',
		(name) => {
			const kind = kinds[name] as RecordKind;
			const sent = Object.fromEntries(kind.id.map((id) => [id, '1']));
			expect([countIn([sent], kind), isRecord(sent, kind)]).toEqual([1, true]);
		},
	);

	it('is told apart by its ID, a number or text in any case, a period by its year too', () => {
		for (const uploadId of ['', ' ', 0, null])
			expect(recordId({ uploadId }, upload)).toBeUndefined();
		expect(recordId({ Id: 7 }, engagement)).toBe(recordId({ Id: '7' }, engagement));
		expect(recordId({ uploadId: 'AB' }, upload)).toBe(recordId({ uploadId: 'ab' }, upload));
		const inYear = (yearId: string) => recordId({ uploadId: 'u', yearId, periodId: '1' }, period);
		expect(inYear('2025')).not.toBe(inYear('2026'));
	});
});

it('a response without content (204) is an empty list, and a refresh, but no other record', () => {
	expect(readWith((body) => readPage(body, upload), '', 204)).toEqual({ records: [], page: {} });
	expect(readWith((body) => readRecord(body, refreshResult), '', 204)).toEqual({});
	expect(readWith((body) => readRecord(body, upload), '', 204)).toBe('it is empty');
});

it.each([
	[' \n', 'it is empty'],
	['{"content":[', 'it is not JSON, or was cut off'],
])('the response %j is unreadable: %s', (body, detail) => {
	const response = readResponse({ status: 200, headers: {}, body }, (each) => each);
	expect(response).toEqual({ end: 'unreadable', detail, body });
});
