import { engagement, upload } from '../../../nodes/EngagementUploads/api/records.ts';
import {
	readPage,
	readRecord,
	UnreadableResponse,
} from '../../../nodes/EngagementUploads/transport/lists/responses.ts';
import { startCpuTime } from '../../support/cpuTime.mts';

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

	it('is not looked for five levels deep', () => {
		const body = { a: { b: { c: { d: { found: [one] } } } } };
		expect(why(readPage(body, upload))).toBe('it contains no list');
	});

	it.each([
		[{}],
		[{ content: null }],
		[{ content: null, sort: ['a'], page: { size: 10 } }],
		[{ last: true, numberOfElements: 0, message: 'none' }],
		[{ totalPages: 0, message: 'none' }],
		[{ last: true, numberOfElements: 0, rows: { a: 1 } }],
		[{ last: true, totalElements: 0, rows: { a: 1 } }],
		[{ totalPages: 0, rows: { a: 1 } }],
		[{ last: true, message: 'x', rows: {} }],
		[{ last: true, number: 0, size: 500, sort: 'name' }],
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

it('survives a status code that is an object', () => {
	expect(readPage({ statusCode: { toString: 0 } }, upload)).toBeInstanceOf(UnreadableResponse);
});

describe('a list called `errors`', () => {
	it('holds the records if they are nothing else', () => {
		const body = { errors: [one, { uploadId: 'b' }], last: true };
		expect(readPage(body, upload)).toEqual({ records: body.errors, page: { last: true } });
		expect(readPage({ data: body }, upload)).toMatchObject({ records: body.errors });
	});

	it.each([
		{ errors: [one, { message: 'Later' }] },
		{ errors: [one], message: 'Later' },
		{ errors: [one], status: 400 },
		{ errors: [{ id: 'E1' }] },
	])('holds errors in %j', (body) => {
		expect(why(readPage(body, engagement))).toBe('it is an error');
		expect(why(readPage(body, body.errors.length === 1 ? engagement : upload))).toBe(
			'it is an error',
		);
	});
});

describe('hostile JSON', () => {
	const times = (count: number, text: (index: number) => string) =>
		Array.from({ length: count }, (_, index) => text(index)).join();
	const nested = (depth: number, width: number): string =>
		depth === 0 ? '{}' : `{${times(width, (index) => `"${index}":${nested(depth - 1, width)}`)}}`;

	it.each([
		['objects by key', `{${times(100_000, (index) => `"k${index}":{}`)}}`],
		['objects by key in a wrapper', `{"data":{${times(100_000, (index) => `"k${index}":{}`)}}}`],
		['lists by key', `{${times(100_000, (index) => `"${index}":[]`)}}`],
		['a tree', nested(3, 45)],
		['a deep tree', nested(4, 17)],
		['empty records', `[${times(330_000, () => '{}')}]`],
		['lists in a list', `{"a":[${times(330_000, () => '[]')}]}`],
		['records in wrappers', `{"id":1,"a":[${times(100_000, () => '{"id":1}')}]}`],
		['deep lists', '['.repeat(500_000) + ']'.repeat(500_000)],
		['deep objects', '{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)],
		['deep records', '{"id":1,"a":['.repeat(60_000) + ']}'.repeat(60_000)],
	])('is parsed quickly: %s', (_what, text) => {
		const body: unknown = JSON.parse(text);
		const milliseconds = startCpuTime();
		readPage(body, engagement);
		// The test environment itself takes several times what Node.js takes.
		expect(milliseconds()).toBeLessThan(1000);
	});

	it('is unreadable if it is nested too deeply to be written again', () => {
		const deep = JSON.parse('[{"name":' + '['.repeat(10_000) + ']'.repeat(10_000) + '}]') as object;
		expect(why(readPage(deep, upload))).toBe('it is nested too deeply');
		expect(why(readRecord(deep, upload))).toBe('it is nested too deeply');
	});
});
