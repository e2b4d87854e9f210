/** Lookups of many items, and filters by many IDs: what is sent together, and in how many requests. */
import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import type { RecordedRequest } from '../support/service/log.mts';
import { errorText, itemsFrom, jsonOf, outputOf, run, useService } from '../support/runs.mts';

const FIRST = 1_000_001;
const ENGAGEMENTS = 1000;
const externalIdOf = (id: number) => `customer & partners / ${id}`;

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	service.model.addConnector({ id: '1', name: 'cloudbooks' });
	for (const { id } of itemsFrom(FIRST, ENGAGEMENTS)) {
		service.model.addEngagement({ id, externalEngagementId: externalIdOf(id) });
		service.model.addCompletedUpload({ engagementId: id });
	}
	service.model.addEngagement({ id: 5 });
});

beforeEach(() => service.clearFaults());

const items = itemsFrom(FIRST, ENGAGEMENTS);
const getLast = (over: IDataObject = {}): IDataObject => ({
	resource: 'upload',
	operation: 'getLast',
	engagementIds: '={{ $json.id }}',
	...over,
});
const idsOf = (records: IDataObject[]) => records.map(({ engagementId }) => engagementId);

function expectShortUrls(requests: readonly RecordedRequest[]): void {
	for (const { url } of requests) expect(service.url.length + url.length).toBeLessThanOrEqual(2000);
}

describe('upload.getLast of many items', () => {
	it('sends one request for a list without page fields', async () => {
		const ids = items.slice(0, 100).map(({ id }) => id);
		const path = `/v1/clients/${service.clientId}/lastUploads`;
		const { body } = service.ask('GET', `${path}?engagementIds=${ids.join(',')}&size=100`);
		const { content } = body as { content: IDataObject[] };
		service.fail({}, { kind: 'status', status: 200, body: content });
		const { items: results } = await run(service, getLast(), items.slice(0, 100));
		expect(results).toHaveLength(100);
		expect(service.requests).toHaveLength(1);
	});

	it('merges 1,000 items into 10 requests with short URLs', async () => {
		const { items: results } = await run(service, getLast(), items);
		expect(idsOf(jsonOf(results))).toEqual(items.map(({ id }) => id));
		expect(results.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(service.requests).toHaveLength(10);
		for (const { query } of service.requests)
			expect(query.engagementIds?.split(',')).toHaveLength(100);
		expectShortUrls(service.requests);
	});

	it('keeps URLs short with long IDs', async () => {
		service.settings.extraQuery = ['trace'];
		const long = itemsFrom(100_000_000_000_000, 200);
		const options = { customQuery: { trace: 'ä'.repeat(100) } };
		const { error } = await run(service, getLast({ options }), long);
		expect(error).toBeUndefined();
		const asked = service.requests.flatMap(({ query }) => query.engagementIds?.split(',') ?? []);
		expect(asked.map(Number)).toEqual(long.map(({ id }) => id));
		expectShortUrls(service.requests);
	});

	it('sends items with different options in separate requests', async () => {
		service.settings.extraQuery = ['trace'];
		const options = { customQuery: '={{ { trace: $json.id % 2 } }}' };
		const { items: results } = await run(service, getLast({ options }), items.slice(0, 6));
		expect(jsonOf(results)).toHaveLength(6);
		expect(service.requests.map(({ query }) => query.trace).sort()).toEqual(['0', '1']);
	});
});

describe('upload.getLast of a list', () => {
	it('keeps the order of the IDs, and requests each once', async () => {
		const engagementIds = `${FIRST + 2}, ${FIRST},${FIRST + 2},,${FIRST + 1}`;
		const records = await outputOf(service, getLast({ engagementIds }));
		expect(idsOf(records)).toEqual([FIRST + 2, FIRST, FIRST + 1]);
		expect(service.requests).toHaveLength(1);
	});

	it('returns no item for an engagement without an upload unless Include Missing is on', async () => {
		const engagementIds = `5,${FIRST}`;
		expect(idsOf(await outputOf(service, getLast({ engagementIds })))).toEqual([FIRST]);

		const including = getLast({ engagementIds, options: { includeMissing: true } });
		const [missing, found] = await outputOf(service, including);
		expect(missing).toMatchObject({ engagementId: 5, uploadId: null, uploadStatus: null });
		expect(Object.keys(missing ?? {})).toEqual(Object.keys(found ?? {}));
	});

	it.each([
		{ engagementId: 5, uploadId: null, uploadStatus: null },
		{ engagementId: 5, uploadId: 'null' },
		{ engagementId: 5, smeName: 'ACME' },
	])('treats %j as an engagement without an upload', async (record) => {
		const body = { content: [record], last: true };
		const path = /lastUploads$/;
		service.fail({ path }, { kind: 'status', status: 200, body }, { times: 2 });
		expect(await outputOf(service, getLast({ engagementIds: 5 }))).toEqual([]);
		const including = getLast({ engagementIds: 5, options: { includeMissing: true } });
		const [missing] = await outputOf(service, including);
		service.clearFaults();
		expect([missing]).toEqual(await outputOf(service, including));
	});

	it.each([{ output: 'raw' }, { output: 'selectedFields', fields: 'status' }])(
		'names the missing engagement in the form %j',
		async (form) => {
			const options = { includeMissing: true };
			const records = await outputOf(service, getLast({ engagementIds: 5, options, ...form }));
			expect(records).toEqual([expect.objectContaining({ engagementId: 5, uploadId: null })]);
		},
	);
});

describe('external IDs of many items', () => {
	const periods = {
		resource: 'period',
		operation: 'getAll',
		returnAll: true,
		engagementId: { __rl: true, mode: 'externalId', value: '={{ $json.external }}' },
		output: 'selectedFields',
		fields: 'engagementId',
	};
	const asked = items.slice(0, 120).map(({ id }) => ({ external: externalIdOf(id) }));
	const lookUps = () => service.requests.filter(({ path }) => path.endsWith('/engagements'));

	it('are looked up with short URLs', async () => {
		const { items: results, error } = await run(service, periods, asked);
		expect(error).toBeUndefined();
		const ids = idsOf(jsonOf(results)).filter((_, index) => index % 12 === 0);
		expect(ids).toEqual(items.slice(0, 120).map(({ id }) => id));
		expectShortUrls(lookUps());
	});

	it('are looked up exactly 50 at a time if they are short', async () => {
		const short = Array.from({ length: 100 }, (_, index) => ({ external: `N-${index}` }));
		const { items: results } = await run(service, periods, short, {
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(results).every(({ error }) => /No engagement has/.test(String(error)))).toBe(
			true,
		);
		expect(lookUps().map(({ query }) => query.externalEngagementId?.split(',').length)).toEqual([
			50, 50,
		]);
	});
});

describe('a filter with more IDs than fit into one request', () => {
	const externals = Array.from({ length: 120 }, (_, index) => `EXT-${index}`);

	it('is split into several, up to the limit', async () => {
		const ids = externals.map(
			(externalEngagementId) => service.model.addEngagement({ externalEngagementId }).id,
		);
		const filters = { externalEngagementIds: externals.join(',') };
		const list = { resource: 'engagement', operation: 'getAll', output: 'raw', filters };
		service.clearRequests();
		const all = await outputOf(service, { ...list, returnAll: true });
		expect(all.map(({ Id }) => Id)).toEqual(ids);
		expect(service.requests).toHaveLength(3);
		const some = await outputOf(service, { ...list, limit: 60 });
		expect(some.map(({ Id }) => Id)).toEqual(ids.slice(0, 60));
	});

	it.each([
		['Sort', { sort: { rule: [{ field: 'name', direction: 'asc' }] } }],
		['orderBy in Custom Query', { options: { customQuery: { orderBy: 'name' } } }],
	])(
		'cannot be combined with %s, and the message says how many would fit',
		async (order, given) => {
			const ids = Array.from({ length: 49 }, (_, index) => `${'x'.repeat(38)}${10 + index}`);
			const listOf = (entries: string[]) => ({
				...{ resource: 'engagement', operation: 'getAll', returnAll: true, ...given },
				filters: { externalEngagementIds: entries },
			});
			const text = errorText(await run(service, listOf(ids)));
			expect(text).toContain(`${order} cannot be used with this many entries`);
			expect(text).toMatch(`Remove ${order}, or some of the entries in External Engagement IDs`);
			expect(service.requests).toEqual([]);
			const fitting = Number(/the first (\d+) fit into one request/.exec(text)?.[1]);
			expect(fitting).toBeGreaterThan(40);
			const { error } = await run(service, listOf(ids.slice(0, fitting)));
			expect(error).toBeUndefined();
			expect(service.requests).toHaveLength(1);
			expect(errorText(await run(service, listOf(ids.slice(0, fitting + 1))))).toContain(order);
		},
	);

	it.each([
		['an array', ['EXT-0', 'EXT-1,EXT-2']],
		['JSON text', '["EXT-0", "EXT-1,EXT-2"]'],
		['a record', { externalEngagementId: 'EXT-1,EXT-2' }],
	])('takes each entry of %s for one ID, which cannot contain a comma', async (_, entered) => {
		const filters = { externalEngagementIds: entered };
		for (const operation of ['getAll', 'getStatus']) {
			const result = await run(service, { resource: 'engagement', operation, filters });
			expect(errorText(result)).toContain('External Engagement IDs “EXT-1,EXT-2” contains a comma');
			expect(service.requests).toEqual([]);
		}
	});
});
