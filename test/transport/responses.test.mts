/** What a response contains, in whichever of the usual forms the service sends it: a record is what has its ID. */
import type { IDataObject } from 'n8n-workflow';
import { listEngagements } from '../../nodes/EngagementUploads/service/endpoints.ts';
import { createdEngagement, kinds } from '../../nodes/EngagementUploads/service/records.ts';
import { refreshResult, uploadStart } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import { recordId, type RecordKind } from '../../nodes/EngagementUploads/transport/request.ts';
import {
	readPage,
	readRecord,
	readResponse,
	type RecordPage,
} from '../../nodes/EngagementUploads/transport/responses.ts';
import { advising } from '../support/advice.mts';
import { listKinds } from '../support/world/kinds.mts';
import { countIn, pageIn, readWith, recordIn } from './reading.mts';

const { upload, engagement, company, connector, period, user, workflow } = kinds;

type Json = Record<string, unknown>;
const one = { uploadId: 'a' };

/** The forms of a list: its name, records and page fields as a response. */
const WRAPPERS: Record<string, (name: string, records: Json[], fields: Json) => unknown> = {
	'a bare array': (_, records) => records,
	content: (_, content, fields) => ({ content, ...fields }),
	data: (_, data, fields) => ({ ...fields, data }),
	items: (_, items, fields) => ({ items, ...fields }),
	results: (_, results, fields) => ({ results, ...fields }),
	_embedded: (name, records, fields) => ({ _embedded: { [name]: records }, ...fields }),
	'data.content': (_, content, fields) => ({ data: { content, ...fields } }),
	'a list of its own name': (name, records, fields) => ({ ...fields, [name]: records }),
};

const SPRING = { last: false, totalPages: 3, totalElements: 5, size: 2 };
const { last: _last, ...COUNTED } = SPRING;

/** Page fields as sent, and what they mean. */
const PAGES: Array<[sent: Json, means: RecordPage['page']]> = [
	[{}, {}],
	[
		{ ...SPRING, number: 0, numberOfElements: 2, sort: [{ direction: 'ASC', property: 'Id' }] },
		{ ...SPRING, sortedBy: 'Id' },
	],
	[{ page: COUNTED }, COUNTED],
	[
		{ last: 'False', totalPages: '12', totalElements: 1.5, size: 'x' },
		{ last: false, totalPages: 12 },
	],
	// The number of the last page.
	[{ page: { first: '0', last: '1', totalPages: 2 } }, { totalPages: 2 }],
];

describe.each(listKinds)('a list of $name', ({ name, kind: kindName, records }) => {
	const kind = kinds[kindName] as RecordKind;

	it.each(Object.entries(WRAPPERS))('is read from %s, empty or not', (_wrapper, wrap) => {
		for (const [fields, page] of PAGES) {
			const body = wrap(name, records, fields);
			expect(pageIn(body, kind)).toEqual({ records, page: Array.isArray(body) ? {} : page });
			expect(pageIn(wrap(name, [], fields), kind)).toMatchObject({ records: [] });
		}
	});

	it('is read if a single record, known by its ID, comes instead, even if there are more', () => {
		const [record] = records;
		for (const body of [record, { data: record }, { [name]: record }])
			expect(pageIn(body, kind)).toEqual({ records: [record], page: { last: true } });
		for (const page of [SPRING, COUNTED])
			expect(pageIn({ content: record, ...page }, kind)).toMatchObject({ records: [record], page });
	});

	it('has records that are told apart', () => {
		const ids = records.map((record) => recordId(record as IDataObject, kind));
		advising('Name what identifies a record of this kind in service/records.ts', () =>
			expect(ids).not.toContain(undefined),
		);
		expect(new Set(ids).size).toBe(records.length);
	});
});

it.each<[name: string, kind: RecordKind, records: Json[]]>([
	['uploads', upload, [{ uploadId: 'a' }, {}]],
	['engagements', engagement, [{ id: '1', name: 'a', Status: 'x', createdAt: 1 }]],
	['engagements', engagement, [{ engagementId: 1, relationshipManager: 'x' }]],
	['users', user, [{ email: 'a@example.com' }]],
	['connectors', connector, [{ name: 'a', isRefreshable: null }]],
	['periods', period, [{ yearId: '2026' }, { yearId: '2026', periodId: '1' }]],
])('%s may lack fields, and have others (%#)', (_name, kind, records) => {
	expect(countIn({ request: { id: 'request-1' }, content: [null, ...records] }, kind)).toBe(
		records.length,
	);
});

const named = listEngagements({ externalEngagementId: 'a,b' }).kind;
it('engagements found by external ID must show it', () => {
	expect(countIn([{ Id: 1 }, { Id: 2, externalEngagementId: 'a' }], named)).toBe(2);
	expect(countIn([], named)).toBe(0);
	expect(countIn([{ Id: 1 }], listEngagements({ page: 0 }).kind)).toBe(1);
});

it.each<[body: unknown, why: string, kind?: RecordKind]>([
	[
		{ errors: [{ code: 1 }], content: [{ upload_id: 'a' }] },
		'content[0]: expected uploadId, got upload_id',
	],
	[[{ upload: { uploadId: 'a' } }], 'list[0]: expected uploadId, got upload'],
	[[{ uploadId: null }, {}], 'list[0] is empty'],
	[[{ firstName: 'Ann' }], 'list[0]: expected id or email, got firstName', user],
	[[{ name: 'a' }], 'list[0]: expected name and isRefreshable, got name', connector],
	[
		[{ uploadId: 'a', periodId: '1' }],
		'list[0]: expected uploadId + yearId + periodId or yearId + periodId, got uploadId, periodId',
		period,
	],
	[
		[{ Id: 1 }],
		'list[0]: expected Id + externalEngagementId or id + externalEngagementId or engagementId + externalEngagementId, got Id',
		named,
	],
	[{ a: one, b: { uploadId: 'b' } }, 'it contains several records, but not as a list'],
	[{ one: [one], other: [{ uploadId: 'b' }] }, 'it contains several lists'],
	[{ content: [one, 'text'] }, 'its list contains something other than records'],
	[
		{ id: 'request-1', message: 'Down' },
		'expected Id or id or engagementId, got id, message',
		engagement,
	],
	[{ violations: [{ id: 'size' }] }, 'violations[0]: expected id or email, got id', user],
	[['a', 'b'], 'it is not a record'],
	[null, 'it is not a record'],
	[{}, 'it is empty'],
])('%j is neither a list nor a record: %s', (body, why, kind = upload) => {
	expect(countIn(body, kind)).toBe(why);
});

describe('a record', () => {
	const COMPANY = 'expected name and registrationNumber, or other company details';
	const STEP = { stepId: 1, name: 'Load', lastUpdate: 'x' };

	it.each([
		{ kind: company, record: { name: 'ACME', townCity: null } },
		{ kind: company, record: { name: 'ACME' } },
		{ kind: workflow, record: { ...one, status: 'FAILED', steps: [STEP] } },
		{ kind: uploadStart, record: { type: 'DOWNLOAD', productLink: 'https://example.com' } },
		{ kind: refreshResult, record: { action: 'No Action Required', url: 'null' } },
		{ kind: upload, record: { ...one, content: null, data: [], error: 'the file is broken' } },
	])('$record is read bare, wrapped, and alone in a list', ({ kind, record }) => {
		for (const body of [record, { data: record }, { anything: record }, [record]])
			expect(recordIn(body, kind)).toEqual(record);
	});

	it.each<[body: unknown, why: string, kind: RecordKind]>([
		[[one, one], 'it is a list', upload],
		[{ data: null }, 'it is empty', upload],
		[{ this: { lies: { too: one } } }, 'expected uploadId, got this', upload],
		[{ a: one, b: one }, 'it contains several records, but not as a list', upload],
		[{ name: 'BAD_REQUEST', message: 'x' }, `${COMPANY}, got name, message`, company],
		[
			{ type: 'https://example.com/errors/scope', title: 'Bad scope' },
			'expected redirectUrl or another web address, got type, title',
			uploadStart,
		],
	])('is not %j', (body, why, kind) => {
		expect(recordIn(body, kind)).toBe(why);
	});

	const written = (body: unknown, kind: RecordKind, status = 200) =>
		readWith((each) => readRecord(each, kind, 'POST'), body, status);

	it('that was created is read beside errors, and whatever has another ID', () => {
		for (const more of [{ errors: ['No email'] }, { id: 'request-1' }, { status: 'FAILED' }])
			for (const name of ['content', 'data', 'items', 'results'])
				expect(written({ [name]: { Id: 7 }, ...more }, createdEngagement)).toEqual({ Id: 7 });
	});

	it('that was created may be known by its `id`, beside its name and no error', () => {
		const record = { id: 7, name: 'ACME' };
		expect(written({ data: record }, createdEngagement)).toEqual(record);
		expect(written({ id: 7, status: 'x' }, createdEngagement)).toBe('expected Id, got id');
		for (const body of [{ data: record, error: 'x' }, { data: { ...record, error: 'x' } }])
			expect(written(body, createdEngagement)).toBe('besides the record, it contains error');
		expect(written({ engagement: { Id: 7 } }, createdEngagement)).toBe(
			'expected Id, got engagement',
		);
	});

	it('of a refresh is any with action or url, without an error, or none (204)', () => {
		for (const body of [{ action: null }, { url: '' }])
			expect(written(body, refreshResult)).toEqual(body);
		expect(written('', refreshResult, 204)).toEqual({});
		expect(written({ success: false, data: { action: 'x' } }, refreshResult)).toBe(
			'besides the record, it contains success',
		);
		expect(written({ message: 'x' }, refreshResult)).toBe('expected action and url, got message');
	});

	it('is told apart by its ID, a number or text in any case, a period by its year too', () => {
		for (const uploadId of ['', ' ', 0, null])
			expect(recordId({ uploadId }, upload)).toBeUndefined();
		expect(recordId({ Id: 0, id: 7 }, engagement)).toBe(recordId({ Id: '7' }, engagement));
		expect(recordId({ uploadId: 'AB' }, upload)).toBe(recordId({ uploadId: 'ab' }, upload));
		const inYear = (yearId: string) => recordId({ uploadId: 'u', yearId, periodId: '1' }, period);
		expect(inYear('2025')).not.toBe(inYear('2026'));
	});
});

it('a response without content (204) is an empty list, but no record', () => {
	expect(readWith((body) => readPage(body, upload), '', 204)).toEqual({ records: [], page: {} });
	expect(readWith((body) => readRecord(body, upload), '', 204)).toBe('it is empty');
});

it('a response is unreadable if it is no JSON, or not ready yet, and is kept', () => {
	const read = (body: unknown, status = 200) =>
		readResponse({ status, headers: {}, body }, (each) => each);
	for (const [body, detail] of [
		[' \n', 'it is empty'],
		[' <p>Down</p>', 'it is a web page instead of data'],
		['{"content":[', 'it is not JSON or was cut off'],
	])
		expect(read(body)).toEqual({ end: 'unreadable', detail, body });
	expect(read({}, 202)).toMatchObject({ detail: 'the result is not ready yet (202)' });
	const created = readResponse({ status: 202, headers: {}, body: {} }, () => 1, 'POST');
	expect(created).toHaveProperty('value', 1);
	expect(read({}, 500)).toEqual({ status: 500, headers: {}, body: {} });
});
