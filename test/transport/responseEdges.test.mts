import { engagement, upload } from '../../nodes/EngagementUploads/api/records.ts';
import {
	identityKey,
	readPage,
	readRecord,
	UnreadableResponse,
} from '../../nodes/EngagementUploads/transport/responses.ts';

const one = { uploadId: 'a' };
const why = (read: unknown) => (read instanceof UnreadableResponse ? read.why : read);

describe('an unreadable response says why', () => {
	it.each([
		['text', 'it is not a list'],
		[null, 'it is not a list'],
		[{ error: 'Later' }, 'it is an error'],
		[{ message: 'Hello' }, 'it contains no list'],
		[{ content: [one, 'text'] }, 'its list contains something other than records'],
		[[[one]], 'its list contains something other than records'],
	])('a list: %j', (body, reason) => {
		expect(why(readPage(body, upload))).toBe(reason);
	});

	it.each([
		[[], 'it is a list'],
		[[one, one], 'it is a list'],
		['text', 'it is not a record'],
		[{ errors: ['Later'] }, 'it is an error'],
		[{}, 'it is empty'],
		[{ message: 'Hello' }, 'it is not the requested record'],
	])('a record: %j', (body, reason) => {
		expect(why(readRecord(body, upload))).toBe(reason);
	});
});

describe('an error with a success status', () => {
	it.each([
		{ statusCode: 400 },
		{ statusCode: '404' },
		{ status: 400 },
		{ status: 503 },
		{ success: false },
		{ isSuccess: false },
		{ error: 'Later' },
		{ error: { message: 'Later' } },
		{ errors: ['Later'] },
		{ errorCode: 7 },
	])('is %j, even next to an empty list', (body) => {
		expect(why(readPage({ content: [], ...body }, upload))).toBe('it is an error');
	});

	it.each([
		{ statusCode: 200 },
		{ statusCode: 399 },
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
		expect(readPage({ content: [one], ...body }, upload)).toMatchObject({ records: [one] });
	});
});

describe('the list', () => {
	it.each([
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
		['in one object with page fields', { page: { tags: [] }, meta: { size: 1, found: [one] } }],
		['of one record next to a list of something else', { tags: ['new'], x: one }],
	])('is the one %s', (_what, body) => {
		expect(readPage(body, upload)).toMatchObject({ records: [one] });
	});

	it('is not looked for in a record', () => {
		const record = { ...one, steps: [] };
		expect(readPage({ x: record }, upload)).toMatchObject({ records: [record] });
	});

	it.each([
		[{ id: 'list 1', content: [] }, []],
		[{ id: 'list 1', found: [{ Id: 1 }] }, [{ Id: 1 }]],
		[{ engagementId: 7, tags: ['new'], note: 1 }, [{ engagementId: 7, tags: ['new'], note: 1 }]],
	])('may have an ID of its own, as a record may have lists: %j', (body, records) => {
		expect(readPage(body, engagement)).toMatchObject({ records });
	});

	it('is not looked for five objects deep', () => {
		const body = { a: { b: { c: { d: { found: [one] } } } } };
		expect(why(readPage(body, upload))).toBe('it contains no list');
	});

	it.each([
		[{}],
		[{ content: null }],
		[{ content: null, sort: ['a'], page: { size: 10 } }],
		[{ last: true, numberOfElements: 0, message: 'none' }],
		[{ totalPages: 0, message: 'none' }],
		[{ last: true, message: 'none', rows: {} }],
		[{ last: true, numberOfElements: 0, rows: { a: 1 } }],
		[{ last: true, totalElements: 0, rows: { a: 1 } }],
		[{ totalPages: 0, rows: { a: 1 } }],
	])('is empty in %j', (body) => {
		expect(readPage(body, upload)).toMatchObject({ records: [] });
	});

	it.each([
		[{ content: null, totalElements: 3 }],
		[{ last: true, numberOfElements: 2, message: 'x' }],
		[{ number: 0, message: 'none' }],
		[{ last: true, message: 'x', rows: { a: 1 } }],
	])('is missing in %j', (body) => {
		expect(why(readPage(body, upload))).toBe('it contains no list');
	});

	it('has page fields from any of the objects around it, whole numbers only', () => {
		const page = (body: object) => {
			const read = readPage(body, upload);
			return read instanceof UnreadableResponse ? read.why : read.page;
		};
		expect(page({ data: { content: [one], last: false }, meta: { totalPages: 3 } })).toEqual(
			expect.objectContaining({ last: false, totalPages: 3 }),
		);
		expect(page({ content: [one], pageNumber: 2, pageSize: 5 })).toEqual(
			expect.objectContaining({ number: 2, size: 5 }),
		);
		for (const totalPages of [-1, 1.5, '3', null])
			expect(page({ content: [one], totalPages, last: 'no' })).not.toMatchObject({ last: 'no' });
		expect(page({ content: [one], totalPages: '3', totalElements: -1 })).toMatchObject({
			totalPages: undefined,
			totalElements: undefined,
		});
	});
});

it('a record without a complete ID has no identity', () => {
	expect(identityKey({ uploadId: 'a' }, upload)).toBe('a');
	expect(identityKey({ uploadId: null }, upload)).toBeUndefined();
	const parts = { ...engagement, identity: [['a', 'b']] } as typeof engagement;
	expect(identityKey({ a: 1, b: 'x' }, parts)).toBe('1\nx');
	expect(identityKey({ a: 1 }, parts)).toBeUndefined();
});

it('survives a status code that is an object', () => {
	expect(readPage({ statusCode: { toString: 0 } }, upload)).toBeInstanceOf(UnreadableResponse);
});
