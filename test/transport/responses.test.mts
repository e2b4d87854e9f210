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
	type RecordPage,
} from '../../nodes/EngagementUploads/transport/responses.ts';
import { countIn, pageIn, readWith, recordIn } from './reading.mts';

const { upload, engagement, company, period, user, workflow } = kinds;

type Json = Record<string, unknown>;
const one = { uploadId: 'a' };

/** Each record has the IDs of its kind, and a list inside. */
const lists = (['connector', 'engagement', 'lastUpload', 'period', 'upload', 'user'] as const).map(
	(name) => ({
		name: `${name}s`,
		kind: kinds[name] as RecordKind,
		records: ['1', '2'].map((value) => ({
			...Object.fromEntries(kinds[name].id.map((id) => [id, value])),
			profiles: [{ name: 'Admin' }],
		})),
	}),
);

describe.each(lists)('a list of $name', ({ name, kind, records }) => {
	it.each(['content', 'data', 'items', 'results', name])(
		'is read bare and under %s, empty or not',
		(wrapper) => {
			for (const list of [records, []])
				for (const body of [list, { [wrapper]: list }, { [wrapper]: list, size: 2, sort: null }])
					expect(countIn(body, kind)).toBe(list.length);
			expect(countIn({ [wrapper]: records, count: 2 }, kind)).toBe(records.length);
			expect(countIn({ _embedded: { [wrapper]: records }, _links: {} }, kind)).toBe(records.length);
		},
	);

	it('is an error if the response says so beside it', () => {
		for (const more of [{ error: 'Down' }, { errors: [1] }, { success: false }, { success: '0' }])
			for (const body of [records, []].map((content) => ({ ...more, content })))
				for (const given of [body, { data: body }])
					expect(countIn(given, kind)).toBe('it is an error');
		const good = { error: null, errors: [], success: true, last: true };
		for (const content of [records, []])
			expect(countIn({ ...good, content }, kind)).toBe(content.length);
	});

	it('is not believed if it is empty, and there is something else', () => {
		for (const more of [{ status: 'error' }, { message: 'Suspended' }, { data: 'Suspended' }])
			expect(countIn({ ...more, content: [] }, kind)).toBe(
				'it does not say that the list is empty',
			);
	});

	it('has records that are told apart', () => {
		const ids = records.map((record) => recordId(record as never, kind));
		expect(ids).not.toContain(undefined);
		expect(new Set(ids).size).toBe(records.length);
	});
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

it.each<[body: unknown, why: string, kind?: RecordKind]>([
	[{ content: [{ upload_id: 'a' }] }, 'none of its records has uploadId'],
	[[{ firstName: 'Ann' }], 'none of its records has id', user],
	[{ content: [one, 'text'] }, 'it is not a list of records'],
	[{ one: [one], other: [one] }, 'it is not a list of records'],
	[{ _embedded: { one: [one], other: [one] } }, 'it is not a list of records'],
	[{ statusCode: 500, message: 'Down' }, 'it is not a list of records'],
	[one, 'it is not a list of records'],
	[null, 'it is not a list of records'],
])('%j is no list: %s', (body, why, kind = upload) => {
	expect(countIn(body, kind)).toMatch(why);
});

it('records of a list may lack their ID, if not all do', () => {
	expect(countIn([one, {}])).toBe(2);
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
		{ kind: refreshResult, record: { action: 'No Action Required', url: 'null' } },
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

	it('that was created is read beside errors', () => {
		const body = { data: { Id: 7 }, errors: ['No email'] };
		expect(recordIn(body, createdEngagement)).toEqual({ Id: 7 });
	});

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

it('a response that is no JSON is unreadable, and kept', () => {
	const read = (body: unknown, status = 200) =>
		readResponse({ status, headers: {}, body }, (each) => each);
	for (const [body, detail] of [
		[' \n', 'it is empty'],
		['{"content":[', 'it is not JSON, or was cut off'],
	])
		expect(read(body)).toEqual({ end: 'unreadable', detail, body });
	expect(read({}, 500)).toEqual({ status: 500, headers: {}, body: {} });
});
