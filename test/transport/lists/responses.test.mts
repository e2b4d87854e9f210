import fc from 'fast-check';
import { kinds, refreshResult, uploadStart } from '../../../nodes/EngagementUploads/api/records.ts';
import { listKinds } from '../../support/kinds.mts';
import type { RecordKind } from '../../../nodes/EngagementUploads/transport/lists/recordKind.ts';
import {
	readPage,
	readRecord,
	UnreadableResponse,
} from '../../../nodes/EngagementUploads/transport/lists/responses.ts';
import type { PageFields } from '../../../nodes/EngagementUploads/transport/lists/pageFields.ts';
import { ERRORS, PAGES, WRAPPERS } from './responses.mts';

const allKinds: RecordKind[] = [...Object.values(kinds), refreshResult, uploadStart];
const { upload, engagement, user, company, workflow } = kinds;
const listCases = listKinds.map(({ name, kind, records }) => {
	return { name, kind: kinds[kind] as RecordKind, records };
});
const wrapperCases = Object.entries(WRAPPERS).map(([wrapper, wrap]) => ({ wrapper, wrap }));

/** The response as parsed from JSON text. */
function sent(body: unknown): unknown {
	return JSON.parse(JSON.stringify(body)) as unknown;
}

function read(body: unknown, kind: RecordKind) {
	const answer = readPage(sent(body), kind);
	if (answer instanceof UnreadableResponse) throw new Error(answer.why);
	return answer;
}

describe.each(listCases)('a list of $name', ({ name, kind, records }) => {
	it.each(wrapperCases)('is understood as $wrapper', ({ wrap }) => {
		for (const { fields, pageFields } of PAGES) {
			const body = wrap(name, records, fields);
			expect(read(body, kind)).toEqual({ records, page: Array.isArray(body) ? {} : pageFields });
		}
	});

	it.each(wrapperCases)('is understood as $wrapper if it is empty', ({ wrap }) => {
		for (const { fields, pageFields } of PAGES) {
			const body = wrap(name, [], { ...fields, totalElements: 0 });
			const page = { ...pageFields, totalElements: 0 };
			expect(read(body, kind)).toEqual({ records: [], page: Array.isArray(body) ? {} : page });
		}
	});

	it('is understood if a single record comes instead of a list', () => {
		const [record] = records;
		for (const body of [record, { data: record }, { response: record }, { [name]: record }]) {
			expect(read(body, kind)).toEqual({ records: [record], page: { last: true }, isAlone: true });
		}
		expect(read({ content: [record] }, kind).records).toEqual([record]);
	});

	it.each(ERRORS)('is not read from the error $body', ({ body }) => {
		expect(readPage(sent(body), kind)).toBeInstanceOf(UnreadableResponse);
		expect(readPage(sent({ data: body }), kind)).toBeInstanceOf(UnreadableResponse);
	});

	it.each([null, 'text', 7, true, ['a'], [7], [[{ id: 1 }]], { content: ['a'] }, { data: 'x' }])(
		'is not read from %j',
		(body) => {
			expect(readPage(body, kind)).toBeInstanceOf(UnreadableResponse);
		},
	);
});

describe('records', () => {
	const records = [{ uploadId: 'u1' }];

	it.each([
		{ page: { content: records, totalPages: 2 } },
		{ pagination: { uploads: records, totalPages: 2 } },
		{ facets: [], data: { uploads: records, totalPages: 2 } },
		{ facets: [], totalPages: 2, result: { theRows: records } },
	])('are found in %j', (body) => {
		expect(read(body, upload)).toEqual({ records, page: { totalPages: 2 } });
	});

	it.each([
		{ uploads: { u1: { uploadId: 'u1' } }, last: true },
		{ uploads: { u1: { uploadId: 'u1' } }, totalPages: 1 },
	])('that cannot be read are not treated as an empty list: %j', (body) => {
		expect(readPage(body, upload)).toBeInstanceOf(UnreadableResponse);
	});

	it('are not looked for in a list that is empty', () => {
		const related = { ids: [{ uploadId: 'u1' }] };
		expect(read({ content: [], related }, upload).records).toEqual([]);
	});

	it('are not the profiles of a single user', () => {
		const single = { id: 1, firstName: 'Ada', profiles: [{ id: 5, name: 'Admin' }] };
		expect(read(single, user).records).toEqual([single]);
	});
});

describe('an empty list', () => {
	it.each<[unknown, PageFields]>([
		[[], {}],
		[{}, {}],
		[{ content: null }, {}],
		[{ _embedded: { things: [null] }, page: { number: 0 } }, { number: 0 }],
		[{ content: [], sort: [{ property: 'Id' }] }, { sortedBy: ['Id'] }],
		[
			{ uploads: [], totalPages: 0, last: true },
			{ totalPages: 0, last: true },
		],
		[{ page: { totalElements: 0, totalPages: 0, number: 0 }, _links: { self: {} } }, empty()],
		[
			{ last: true, totalElements: 0, totalPages: 0, number: 0 },
			{ last: true, ...empty() },
		],
		[[null, null], {}],
	])('is %j', (body, page) => {
		expect(read(body, upload)).toEqual({ records: [], page });
	});

	it.each([
		{ page: { totalElements: 5, totalPages: 1, number: 0 } },
		{ content: null, totalElements: 5 },
		{ message: 'no rights', uploads: [] },
	])('is not %j', (body) => {
		expect(readPage(body, upload)).toBeInstanceOf(UnreadableResponse);
	});

	function empty(): PageFields {
		return { totalElements: 0, totalPages: 0, number: 0 };
	}
});

describe('fields next to the records', () => {
	const records = [{ Id: 1 }, { Id: 2 }];

	it.each([
		{ sort: [{ direction: 'DESC', property: 'Id', ascending: false }] },
		{ sort: { sorted: true, empty: false } },
		{ sort: 'DESC' },
		{ links: [{ rel: 'next', href: '/v1?page=1' }] },
		{ warnings: [{ id: 'W1' }] },
		{ errors: [], error: null },
		{ orders: [{ direction: 'ASC' }] },
	])('%j are not mistaken for them', (beside) => {
		expect(read({ ...beside, engagements: records }, engagement).records).toEqual(records);
		expect(read({ engagements: records, ...beside }, engagement).records).toEqual(records);
	});

	it('page fields that make no sense are ignored', () => {
		const fields = { last: 'yes', totalPages: -1, number: 1.5, size: '10', totalElements: null };
		expect(read({ content: records, ...fields }, engagement).page).toEqual({});
	});
});

describe('a record', () => {
	it('is recognised although it has fields with the names of wrappers', () => {
		const last = { uploadId: 'u1', content: null, data: [], errors: [], result: { uploadId: 'x' } };
		expect(read(last, upload)).toEqual({ records: [last], page: { last: true }, isAlone: true });
		expect(readRecord(last, upload)).toBe(last);
		const someone = { id: 1, email: 'a@example.com', profiles: [{ name: 'Admin', id: 9 }] };
		expect(read([someone], user).records).toEqual([someone]);
		expect(read(someone, user).records).toEqual([someone]);
		const failed = { uploadId: 'u1', uploadStatus: 'FAILED', error: 'the file is broken' };
		expect(readRecord(failed, upload)).toBe(failed);
		expect(read({ content: [failed] }, upload).records).toEqual([failed]);
	});

	it.each([
		{ kind: company, record: { name: 'ACME', townCity: 'Leeds' } },
		{ kind: workflow, record: { uploadId: 'u1', steps: [{ stepId: 1, uploadId: 'u1' }] } },
		{ kind: uploadStart, record: { type: 'REDIRECT', redirectUrl: 'https://example.com' } },
		{ kind: refreshResult, record: { action: 'No Action Required', url: 'null' } },
	])('$record is parsed bare, wrapped, and alone in a list', ({ kind, record }) => {
		const forms = [record, { data: record }, { result: record }, { anything: record }, [record]];
		for (const body of forms) expect(readRecord(body, kind)).toBe(record);
	});

	it('is not a wrapper whose list has the name of one of its fields', () => {
		expect(readRecord({ steps: [{ stepId: 1 }] }, workflow)).toBeInstanceOf(UnreadableResponse);
		const uploads = [{ uploadId: 'u1' }];
		expect(read({ uploadId: uploads }, upload).records).toEqual(uploads);
	});

	it.each([null, '', 'text', 7, [], {}, [{ uploadId: 'a' }, { uploadId: 'b' }], { data: null }])(
		'is not %j',
		(body) => {
			expect(readRecord(body, upload)).toBeInstanceOf(UnreadableResponse);
		},
	);

	it.each(ERRORS)('is not the error $body', ({ body }) => {
		for (const kind of allKinds) {
			expect(readRecord(sent(body), kind)).toBeInstanceOf(UnreadableResponse);
		}
	});
});

describe('any JSON', () => {
	const name = fc.constantFrom(
		...['content', 'data', '_embedded', 'page', 'sort', 'errors', 'uploads', 'uploadId', 'id'],
		...['last', 'totalPages', 'number', 'statusCode', '__proto__', 'constructor', 'steps'],
	);
	const { json } = fc.letrec<{ json: unknown }>((tie) => ({
		json: fc.oneof(
			{ maxDepth: 6 },
			fc.jsonValue({ maxDepth: 1 }),
			fc.array(tie('json'), { maxLength: 4 }),
			fc.array(fc.tuple(name, tie('json')), { maxLength: 6 }).map(Object.fromEntries),
		),
	}));
	const kind = fc.constantFrom(...allKinds);

	it('is parsed without throwing, and without inventing a record', () => {
		fc.assert(
			fc.property(json, kind, (body, ofKind) => {
				const objects = objectsIn(body);
				const page = readPage(body, ofKind);
				const records = page instanceof UnreadableResponse ? [] : page.records;
				const record = readRecord(body, ofKind);
				if (!(record instanceof UnreadableResponse)) records.push(record);
				for (const entry of records) expect(objects.has(entry)).toBe(true);
			}),
			{ numRuns: 2000 },
		);
		expect(Object.prototype).not.toHaveProperty('uploadId');
	});

	it('named __proto__ is a name like any other', () => {
		const body = JSON.parse('{"__proto__":{"uploadId":"u1"},"content":[]}') as object;
		expect(read({ content: [body] }, upload).records).toEqual([body]);
		expect(readPage(body, upload)).toMatchObject({ records: [] });
		expect(({} as { uploadId?: unknown }).uploadId).toBeUndefined();
	});

	function objectsIn(value: unknown, found = new Set<unknown>()): Set<unknown> {
		if (typeof value !== 'object' || value === null) return found;
		found.add(value);
		for (const inner of Object.values(value)) objectsIn(inner, found);
		return found;
	}
});
