import { kinds, refreshResult, uploadStart } from '../../../nodes/EngagementUploads/service/records.ts';
import type {
	PageFields,
	RecordKind,
} from '../../../nodes/EngagementUploads/transport/responses/request.ts';
import {
	parseBody,
	readPage,
	readRecord,
	UnreadableResponse,
} from '../../../nodes/EngagementUploads/transport/responses/responses.ts';
import { listKinds } from '../../support/kinds.mts';
import { ERRORS, PAGES, WRAPPERS } from './responses.mts';

const allKinds: RecordKind[] = [...Object.values(kinds), refreshResult, uploadStart];
const { upload, engagement, user, company, workflow } = kinds;

/** What a reader makes of a response, or why it cannot be read. */
function readBy<R>(reader: (body: unknown, kind: RecordKind) => R) {
	return (body: unknown, kind: RecordKind = upload): R | string => {
		try {
			return reader(parseBody(JSON.stringify(body)), kind);
		} catch (error) {
			if (error instanceof UnreadableResponse) return error.message;
			throw error;
		}
	};
}

const pageIn = readBy(readPage);
const recordIn = readBy(readRecord);
const one = { uploadId: 'a' };

describe.each(listKinds)('a list of $name', ({ name, kind: kindName, records }) => {
	const kind = kinds[kindName] as RecordKind;

	it.each(Object.entries(WRAPPERS))('is read from %s, empty or not', (_wrapper, wrap) => {
		for (const { fields, pageFields } of PAGES) {
			const body = wrap(name, records, fields);
			expect(pageIn(body, kind)).toEqual({ records, page: Array.isArray(body) ? {} : pageFields });
			const empty = wrap(name, [], { ...fields, totalElements: 0 });
			const page = Array.isArray(empty) ? {} : { ...pageFields, totalElements: 0 };
			expect(pageIn(empty, kind)).toEqual({ records: [], page });
		}
	});

	it('is read if a single record comes instead of a list', () => {
		const [record] = records;
		for (const body of [record, { data: record }, { response: record }, { [name]: record }])
			expect(pageIn(body, kind)).toEqual({
				records: [record],
				page: { last: true },
				isAlone: true,
			});
		expect(pageIn({ content: [record] }, kind)).toMatchObject({ records: [record] });
	});
});

describe('the list', () => {
	it.each([
		['of records, without what is null', { content: [null, one, null] }],
		['of records before one with a usual name', { content: [7], found: [one] }],
		['in a wrapper of any name', { something: { found: [one] } }],
		['four objects deep', { a: { b: { c: { found: [one] } } } }],
		['not that of warnings', { warnings: [{ uploadId: 'w' }], found: [one] }],
		['not in page objects', { page: { found: [{ uploadId: 'p' }] }, x: { found: [one] } }],
		['not in links', { links: { found: [{ uploadId: 'l' }] }, x: { found: [one] } }],
		['not in an empty error', { error: {}, x: { found: [one] } }],
		['not in a part that failed', { x: { found: [], success: false }, y: { found: [one] } }],
		['in the usual wrapper first', { other: { found: [{ uploadId: 'o' }] }, data: { x: [one] } }],
		['behind a wrapper that holds none', { data: { message: 'none' }, x: { found: [one] } }],
		['in an object with page fields', { page: { content: [one], totalPages: 2 } }],
		['in one of several such objects', { page: { tags: [] }, meta: { size: 1, found: [one] } }],
		['behind an empty one', { facets: [], data: { uploads: [one] } }],
		['with no usual name', { facets: [], totalPages: 2, result: { theRows: [one] } }],
		['next to a sort order', { sort: [{ property: 'Id' }], found: [one] }],
		['next to links', { links: [{ rel: 'next', href: '/v1?page=1' }], found: [one] }],
		['next to no errors', { errors: [], error: null, found: [one] }],
		['next to something else', { orders: [{ direction: 'ASC' }], found: [one] }],
		['of one record next to a list of something else', { tags: ['new'], x: one }],
		['called `errors`, with nothing but records', { data: { errors: [one], last: true } }],
	])('is the one %s', (_what, body) => {
		expect(pageIn(body)).toMatchObject({ records: [one] });
	});

	it('is not looked for in a record, nor next to an empty list', () => {
		const record = { ...one, steps: [] };
		expect(pageIn({ x: record })).toMatchObject({ records: [record] });
		expect(pageIn({ content: [], related: { ids: [one] } })).toMatchObject({ records: [] });
	});

	it.each([
		[{ id: 'list 1', content: [] }, []],
		[{ id: 'list 1', engagements: [] }, []],
		[{ id: 7, tags: ['new'] }, [{ id: 7, tags: ['new'] }]],
		[{ id: 7, tags: [], note: 1 }, [{ id: 7, tags: [], note: 1 }]],
		[{ id: 7 }, [{ id: 7 }]],
		[{ id: 'list 1', found: [{ Id: 1 }] }, [{ Id: 1 }]],
		[{ engagementId: 7, tags: ['new'], note: 1 }, [{ engagementId: 7, tags: ['new'], note: 1 }]],
	])('may have an ID of its own, as a record may have lists: %j', (body, records) => {
		expect(pageIn(body, engagement)).toMatchObject({ records });
	});

	it.each<[unknown, PageFields]>([
		[[], {}],
		[[null, null], {}],
		[{}, {}],
		[{ content: null }, {}],
		[{ content: null, sort: ['a'], page: { size: 10 } }, { size: 10 }],
		[{ _embedded: { things: [null] }, page: { number: 0 } }, { number: 0 }],
		[
			{ page: { totalElements: 0, number: 0 }, _links: {} },
			{ totalElements: 0, number: 0 },
		],
		[{ last: true, numberOfElements: 0, message: 'none' }, { last: true }],
		[{ last: true, numberOfElements: 0, rows: { a: 1 } }, { last: true }],
		[
			{ last: true, totalElements: 0, rows: { a: 1 } },
			{ last: true, totalElements: 0 },
		],
		[{ totalPages: 0, rows: { a: 1 } }, { totalPages: 0 }],
		[{ last: true, message: 'x', rows: {} }, { last: true }],
		[
			{ last: true, number: 0, size: 500, sort: 'name' },
			{ last: true, number: 0, size: 500 },
		],
	])('is empty in %j', (body, page) => {
		expect(pageIn(body)).toEqual({ records: [], page });
	});

	it.each([
		[{ content: null, totalElements: 3 }],
		[{ page: { totalElements: 5, totalPages: 1, number: 0 } }],
		[{ last: true, numberOfElements: 2, message: 'x' }],
		[{ last: true, message: 'x', rows: { a: 1 } }],
		[{ uploads: { a: one }, totalPages: 1 }],
		[{ message: 'no rights', uploads: [] }],
		[{ message: 'Hello' }],
		[{ a: { b: { c: { d: { found: [one] } } } } }],
	])('is missing in %j', (body) => {
		expect(pageIn(body)).toBe('it contains no list');
	});

	it.each([
		['text', 'it is not a list'],
		[null, 'it is not a list'],
		[{ content: [one, 'text'] }, 'its list contains something other than records'],
		[[[one]], 'its list contains something other than records'],
	])('is not %j', (body, why) => {
		expect(pageIn(body)).toBe(why);
	});

	it.each<[object, PageFields]>([
		[
			{ data: { content: [one], last: false }, meta: { totalPages: 3 } },
			{ last: false, totalPages: 3 },
		],
		[
			{ content: [one], pageNumber: 2, pageSize: 5 },
			{ number: 2, size: 5 },
		],
	])('has page fields from any of the objects around it, if they make sense: %j', (body, page) => {
		expect(pageIn(body)).toEqual({ records: [one], page });
	});
});

describe('an error with a success status', () => {
	it.each(ERRORS)('is %j, alone or in a wrapper', (body) => {
		for (const kind of allKinds)
			for (const read of [pageIn(body, kind), pageIn({ data: body }, kind), recordIn(body, kind)])
				expect(read).toEqual(expect.any(String));
	});

	it.each([
		{ statusCode: 400 },
		{ status: 400 },
		{ success: false },
		{ error: { message: 'Later' } },
		{ errorCode: 7 },
		{ errors: [one, { message: 'Later' }] },
		{ errors: [one], message: 'Later' },
		{ errors: [one], status: 400 },
	])('is %j, even next to a list', (body) => {
		expect(pageIn({ content: [], ...body })).toBe('it is an error');
	});

	it.each([
		{ statusCode: 399 },
		{ statusCode: { toString: 0 } },
		{ status: 399 },
		{ status: '503' },
		{ success: true },
		{ error: null },
		{ error: false },
		{ error: '' },
		{ error: {} },
		{ errorCode: 0 },
		{ errors: [] },
	])('is not %j', (body) => {
		expect(pageIn({ content: [one], ...body })).toMatchObject({ records: [one] });
	});
});

describe('a record', () => {
	const wrapperLike = { ...one, content: null, data: [], errors: [], result: { uploadId: 'x' } };

	it.each<[string, RecordKind, object]>([
		['names of wrappers', upload, wrapperLike],
		['an error', upload, { uploadId: 'u1', uploadStatus: 'FAILED', error: 'the file is broken' }],
		['a list', user, { id: 1, firstName: 'Ada', profiles: [{ name: 'Admin', id: 9 }] }],
	])('is read although it has %s in it', (_what, kind, record) => {
		expect(pageIn(record, kind)).toEqual({
			records: [record],
			page: { last: true },
			isAlone: true,
		});
		expect(pageIn({ content: [record] }, kind)).toMatchObject({ records: [record] });
		expect(recordIn(record, kind)).toEqual(record);
	});

	it.each([
		{ kind: company, record: { name: 'ACME', townCity: 'Leeds' } },
		{ kind: workflow, record: { uploadId: 'u1', steps: [{ stepId: 1, uploadId: 'u1' }] } },
		{ kind: uploadStart, record: { type: 'REDIRECT', redirectUrl: 'https://example.com' } },
		{ kind: refreshResult, record: { action: 'No Action Required', url: 'null' } },
	])('$record is read bare, wrapped, and alone in a list', ({ kind, record }) => {
		const forms = [record, { data: record }, { result: record }, { anything: record }, [record]];
		for (const body of forms) expect(recordIn(body, kind)).toEqual(record);
	});

	it('is not a wrapper whose list has the name of one of its fields', () => {
		expect(recordIn({ steps: [{ stepId: 1 }] }, workflow)).toBe('it is not the requested record');
		expect(pageIn({ uploadId: [one] })).toMatchObject({ records: [one] });
	});

	it.each([
		[[], 'it is a list'],
		[[one, one], 'it is a list'],
		['text', 'it is not a record'],
		[null, 'it is not a record'],
		[7, 'it is not a record'],
		[{ errors: ['Later'] }, 'it is an error'],
		[{}, 'it is empty'],
		[{ data: null }, 'it is not the requested record'],
		[{ message: 'Hello' }, 'it is not the requested record'],
	])('is not %j', (body, why) => {
		expect(recordIn(body)).toBe(why);
	});
});

it.each([
	{ data: { companyDetails: { name: 'A Ltd' } } },
	{ data: [{ name: 'A Ltd' }] },
	{ response: { payload: { items: [{ name: 'A Ltd' }] } } },
])('the record is read from %j', (body) => {
	expect(recordIn(body, company)).toEqual({ name: 'A Ltd' });
});
