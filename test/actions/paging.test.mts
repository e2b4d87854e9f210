import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings, type Settings } from '../support/service/settings.mts';
import { outputOf } from '../support/runs.mts';

const UPLOADS = 10_000;

let service: SimulatedService;
let small: SimulatedService;

/** A service with one engagement that has this many uploads. */
async function serviceWith(uploads: number): Promise<SimulatedService> {
	const started = await startService();
	const { model } = started;
	model.addConnector({ name: 'cloudbooks' });
	model.addEngagement({ id: 1 });
	for (let index = 0; index < uploads; index += 1) model.addCompletedUpload({ engagementId: 1 });
	return started;
}

beforeAll(async () => {
	[service, small] = await Promise.all([serviceWith(UPLOADS), serviceWith(250)]);
});

beforeEach(() => {
	for (const { settings } of [service, small]) Object.assign(settings, defaultSettings());
});

afterAll(async () => await Promise.all([service.close(), small.close()]));

const all = (over: IDataObject = {}): IDataObject => ({
	resource: 'upload',
	operation: 'getAll',
	returnAll: true,
	output: 'selectedFields',
	fields: 'uploadId',
	options: { pageSize: 100 },
	...over,
});
const idsOf = (records: IDataObject[]) => records.map(({ uploadId }) => uploadId);
const expected = ({ model }: SimulatedService) => model.uploads.all.map(({ uploadId }) => uploadId);

const wrappers = ['content', 'array', 'data', 'items', 'named', 'embedded', 'dataContent'] as const;
const pageFields = [
	'spring',
	'lastOnly',
	'totalPagesAndNumber',
	'sizeOnly',
	'none',
	'nestedPage',
] as const;

it('reads 10,000 uploads in pages of 100', async () => {
	expect(idsOf(await outputOf(service, all()))).toEqual(expected(service));
	expect(service.requests).toHaveLength(100);
	expect(service.requests.every(({ query }) => query.size === '100')).toBe(true);
});

describe('every wrapper with all page fields', () => {
	const variants = wrappers.flatMap((wrapper) =>
		pageFields.map((fields) => ({ wrapper, pageFields: fields })),
	);

	const services: Array<[what: string, settings: Partial<Settings>, requests: number]> = [
		['an ordinary service', {}, 4],
		['a service that sends smaller pages', { maxPageSize: 30 }, 10],
		['a service that repeats its last page', { repeatLastPage: true }, 5],
		['a service without a last page', { neverLast: true, repeatLastPage: true }, 6],
	];

	it.each(services)('%s', async (_what, settings, requests) => {
		for (const variant of variants) {
			Object.assign(small.settings, defaultSettings(), variant, settings);
			const ids = idsOf(await outputOf(small, all()));
			expect({ ...variant, ids }).toEqual({ ...variant, ids: expected(small) });
			expect(small.requests.length).toBeLessThanOrEqual(requests);
		}
	});
});

describe('page fields', () => {
	it.each(['string', 'object', 'list'] as const)('with sort as %s', async (sortForm) => {
		Object.assign(small.settings, { sortForm });
		const sort = { rule: [{ field: 'uploadId', direction: 'asc' }] };
		expect(idsOf(await outputOf(small, all({ sort })))).toEqual([...expected(small)].sort());
	});

	it('of a service that sends single records with a page size of one', async () => {
		Object.assign(small.settings, { singleRecordAsObject: true });
		const few = all({ returnAll: false, limit: 4, options: { pageSize: 1 } });
		expect(idsOf(await outputOf(small, few))).toEqual(expected(small).slice(0, 4));
	});

	it.each([
		['user', 'users'],
		['connector', 'connectors'],
	])('of %ss, which are not documented as paged', async (resource) => {
		Object.assign(small.settings, { pageFieldsOnUnpaged: true });
		const { users, connectors } = small.model;
		for (let more = users.length; more < 45; more += 1) small.model.addUser();
		for (let more = connectors.length; more < 45; more += 1) small.model.addConnector();
		const list = { resource, operation: 'getAll', returnAll: true };
		const ids = (await outputOf(small, list)).map(({ id }) => Number(id));
		expect(ids).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
		expect(small.requests.map(({ query }) => query)).toEqual([
			{},
			{ page: '1', size: '20' },
			{ page: '2', size: '20' },
		]);
	});
});

describe('limit', () => {
	it.each([
		[1, 1],
		[50, 1],
		[100, 1],
		[101, 2],
		[250, 3],
		[999, 3],
	])('%i needs no more requests than necessary', async (limit, requests) => {
		const records = await outputOf(small, all({ returnAll: false, limit }));
		expect(idsOf(records)).toEqual(expected(small).slice(0, limit));
		expect(small.requests).toHaveLength(requests);
		expect(small.requests[0]?.query.size).toBe(String(Math.min(limit, 100)));
	});

	it('is 50 by default', async () => {
		expect(await outputOf(small, all({ returnAll: false }))).toHaveLength(50);
	});

	it('applies with the requested page size', async () => {
		const over = { returnAll: false, limit: 25, options: { pageSize: 10 } };
		expect(await outputOf(small, all(over))).toHaveLength(25);
		expect(small.requests.map(({ query }) => query.size)).toEqual(['10', '10', '10']);
	});
});
