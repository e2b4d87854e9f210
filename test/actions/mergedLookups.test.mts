/** Lookups of many items, and filters by many IDs: what is sent together, and in how many requests. */
import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import {
	errorText,
	itemsFrom,
	listHints,
	onErrorContinue,
	readOutput,
	run,
	service,
	toJson,
	useService,
} from '../support/engine/runs.mts';
import { startService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { changeLists } from './refreshes.mts';

useVirtualTime();

const FIRST = 1_000_001;
const ENGAGEMENTS = 1000;
const makeExternalId = (id: number) => `customer & partners / ${id}`;

useService(beforeAll, startService);
beforeAll(() => {
	service.model.addConnector({ id: '1', name: 'cloudbooks' });
	for (const { id } of itemsFrom(FIRST, ENGAGEMENTS)) {
		service.model.addEngagement({ id, externalEngagementId: makeExternalId(id) });
		service.model.addCompletedUpload({ engagementId: id });
	}
	service.model.addEngagement({ id: 5 });
});

const items = itemsFrom(FIRST, ENGAGEMENTS);
const ids = items.map(({ id }) => id);
const listIds = (records: IDataObject[]) => records.map(({ engagementId }) => engagementId);

function expectShortUrls(): void {
	for (const { url } of service.requests)
		expect(service.url.length + url.length).toBeLessThanOrEqual(2000);
}

describe('Upload > Get Last', () => {
	const getLast = (over: IDataObject = {}): IDataObject => ({
		resource: 'upload',
		operation: 'getLast',
		engagementIds: '={{ $json.id }}',
		...over,
	});

	it('asks for 100 engagements in one request, and gives each item its own', async () => {
		const { items: results } = await run(service, getLast(), items);
		expect(listIds(toJson(results))).toEqual(ids);
		expect(results.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		const asked = service.requests.map(({ query }) => query.engagementIds?.split(',').length);
		expect(asked).toEqual(Array<number>(10).fill(100));
		expectShortUrls();
	});

	it('sends a request for each kind of options, side by side', async () => {
		Object.assign(service.settings, { extraQuery: ['trace'], latencyMs: 1000 });
		const began = systemClock.now();
		const options = { customQuery: '={{ { trace: $json.id % 10 } }}' };
		const { items: results } = await run(service, getLast({ options }), items.slice(0, 20));
		service.settings.latencyMs = 0;
		expect(listIds(toJson(results))).toEqual(ids.slice(0, 20));
		expect(service.requests.map(({ query }) => query.trace).sort()).toEqual([...'0123456789']);
		expect(systemClock.now() - began).toBeLessThan(3000);
	});

	it('fails only after the requests of all kinds of options have ended', async () => {
		service.fail({ query: { engagementIds: String(FIRST) } }, { kind: 'status', status: 403 });
		service.fail({}, { kind: 'hang' });
		const began = systemClock.now();
		const options = { timeout: '={{ 5 + $itemIndex }}' };
		expect(errorText(await run(service, getLast({ options }), items.slice(0, 2)))).toContain('403');
		expect(systemClock.now() - began).toBeGreaterThanOrEqual(6000);
	});

	it('keeps the order of the IDs of a list, and asks for each once', async () => {
		const engagementIds = `${FIRST + 2}, ${FIRST},${FIRST + 2},,${FIRST + 1}`;
		const records = await readOutput(service, getLast({ engagementIds }));
		expect(listIds(records)).toEqual([FIRST + 2, FIRST, FIRST + 1]);
		expect(service.requests).toHaveLength(1);
	});

	it('asks for each alone if the service does not say whose the uploads are', async () => {
		const handle = service.handle.bind(service);
		changeLists(service, (uploads) => uploads.forEach((each) => delete each.engagementId));
		const { items: results } = await run(service, getLast(), items.slice(0, 30));
		service.handle = handle;
		expect(listIds(toJson(results))).toEqual(ids.slice(0, 30));
	});

	describe('by external ID', () => {
		const by = { engagementsBy: 'externalId', engagementIds: undefined };
		const getLastBy = (externalEngagementIds: unknown, over: IDataObject = {}) =>
			getLast({ ...by, externalEngagementIds: externalEngagementIds as string, ...over });
		const external = itemsFrom(FIRST, 120).map(({ id }) => ({ external: makeExternalId(id) }));

		it('finds those of all items together, and returns the external ID, too', async () => {
			const given = getLastBy('={{ $json.external }}');
			const { items: results } = await run(service, given, external);
			expect(toJson(results)).toEqual(
				external.map((each, index) =>
					expect.objectContaining({
						engagementId: ids[index],
						externalEngagementId: each.external,
					}),
				),
			);
			expect(service.requests.filter(({ path }) => path.endsWith('/lastUploads'))).toHaveLength(2);
			expectShortUrls();
		});

		it('returns it with selected fields, and what the service sent with Raw', async () => {
			const [{ external: one } = { external: '' }] = external;
			const own = { output: 'selectedFields', fields: ['status'] };
			expect(await readOutput(service, getLastBy(one, own))).toEqual([
				{
					...{ uploadId: expect.any(String), engagementId: FIRST, status: 'COMPLETED' },
					externalEngagementId: one,
				},
			]);
			const [raw] = await readOutput(service, getLastBy(one, { output: 'raw' }));
			expect(raw).not.toHaveProperty('externalEngagementId');
		});

		it('names those that nobody has in the error of their item, or returns them as missing', async () => {
			const given = getLastBy('={{ $json.external }}');
			const asked = [{ external: `A-1, ${external[0]?.external}; B-1` }, external[1] ?? {}];
			const { items: results } = await run(service, given, asked, onErrorContinue);
			expect(toJson(results)).toEqual([
				{
					error: expect.stringMatching(
						/^No engagement was found for External Engagement IDs “A-1”, “B-1” \[item 0\]/,
					),
				},
				expect.objectContaining({ engagementId: FIRST + 1 }),
			]);
			const options = { includeMissing: true };
			const missing = { engagementId: null, uploadId: null };
			expect(await readOutput(service, { ...given, options }, asked.slice(0, 1))).toEqual([
				expect.objectContaining({ ...missing, externalEngagementId: 'A-1' }),
				expect.objectContaining({ engagementId: FIRST }),
				expect.objectContaining({ ...missing, externalEngagementId: 'B-1' }),
			]);
		});
	});

	const withoutUpload = [undefined, { engagementId: 5, uploadId: 'null' }];
	it.each(withoutUpload)('returns no item for %j without Include Missing', async (record) => {
		const engagementIds = 5;
		const body = { content: [record], last: true };
		if (record !== undefined)
			service.fail({}, { kind: 'status', status: 200, body }, { times: Infinity });
		const without = await run(service, getLast({ engagementIds }));
		expect(without.items).toEqual([]);
		expect(listHints(without)[0]).toMatch(
			/^Engagement 5 has no upload or does not exist\. Turn on Include Missing .* for it\.$/,
		);
		const options = { includeMissing: true };
		const missing = { engagementId: 5, uploadId: null };
		const fields = ['status'];
		const forms = [{}, { output: 'raw' }, { output: 'selectedFields', fields }];
		for (const form of forms) {
			const records = await readOutput(service, getLast({ engagementIds, options, ...form }));
			expect(records).toEqual([expect.objectContaining(missing)]);
		}
		service.clearFaults();
	});
});

it('external IDs are looked up 50 at a time, and fewer if they are long', async () => {
	const company = {
		...{ resource: 'company', operation: 'get' },
		engagementId: { __rl: true, mode: 'externalId', value: '={{ $json.external }}' },
	};
	const find = async (externals: string[]) => {
		const given = externals.map((external) => ({ external }));
		return listIds(toJson((await run(service, company, given, onErrorContinue)).items));
	};
	await find(Array.from({ length: 100 }, (_, index) => `N-${index}`));
	const asked = service.requests.map(({ query }) => query.externalEngagementId?.split(',').length);
	expect(asked).toEqual([50, 50]);
	expect(await find(ids.slice(0, 120).map(makeExternalId))).toEqual(ids.slice(0, 120));
	expectShortUrls();
});

describe('a filter with more IDs than fit into one request', () => {
	const externals = Array.from({ length: 120 }, (_, index) => `EXT-${index}`);

	it('is split into several, up to the limit', async () => {
		const own = externals.map(
			(externalEngagementId) => service.model.addEngagement({ externalEngagementId }).id,
		);
		const filters = { externalEngagementIds: externals.join(',') };
		const list = { resource: 'engagement', operation: 'getAll', output: 'raw', filters };
		const all = await readOutput(service, { ...list, returnAll: true });
		expect(all.map(({ Id }) => Id)).toEqual(own);
		expect(service.requests).toHaveLength(3);
		const some = await readOutput(service, { ...list, limit: 60 });
		expect(some.map(({ Id }) => Id)).toEqual(own.slice(0, 60));
	});

	it('returns only what was asked for if the service ignores the filter', async () => {
		service.settings.ignoredFilters = ['engagementId'];
		const engagementIds = itemsFrom(FIRST, 250).map(({ id }) => id);
		const list = { resource: 'upload', operation: 'getAll', filters: { engagementIds } };
		const all = await readOutput(service, { ...list, returnAll: true });
		expect(listIds(all)).toEqual(ids.slice(0, 250));
		const some = await readOutput(service, { ...list, limit: 200, options: { pageSize: 100 } });
		expect(listIds(some)).toEqual(ids.slice(0, 200));
		service.settings.ignoredFilters = [];
	});

	it('cannot be combined with Sort, and the message says how many would fit', async () => {
		const long = Array.from({ length: 49 }, (_, index) => `${'x'.repeat(38)}${10 + index}`);
		const list = (entries: string[]) => ({
			...{ resource: 'engagement', operation: 'getAll', returnAll: true },
			sort: { rule: [{ field: 'name', direction: 'asc' }] },
			filters: { externalEngagementIds: entries },
		});
		const text = errorText(await run(service, list(long)));
		expect(text).toContain('Sort cannot be combined with this many entries');
		expect(service.requests).toEqual([]);
		const fitting = Number(/the first (\d+) fit into one request/.exec(text)?.[1]);
		await readOutput(service, list(long.slice(0, fitting)));
		expect(service.requests).toHaveLength(1);
		expect(errorText(await run(service, list(long.slice(0, fitting + 1))))).toContain(
			'Sort cannot',
		);
	});
});

it('Engagement > Get by ID fails only for the items on later pages if one of these fails', async () => {
	service.fail({ query: { page: '1' } }, { kind: 'status', status: 400 });
	const parameters = {
		...{ resource: 'engagement', operation: 'get', options: { pageSize: 100 } },
		engagementId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	};
	const sought = [ids[0], ids[50], ids[150]].map((id) => ({ id }));
	const { items: results } = await run(service, parameters, sought, onErrorContinue);
	expect(listIds(toJson(results))).toEqual([ids[0], ids[50], undefined]);
	expect(results[2]?.json.error).toContain('(400)');
});

it('only the item at fault fails, though the service refuses the page size as well', async () => {
	const missing = { kind: 'status', status: 404, body: { message: 'No engagement' } } as const;
	const large = { kind: 'status', status: 400, body: { message: 'size is too large' } } as const;
	service.fail({ query: { size: /./ } }, large, { times: Infinity });
	service.fail({ query: { engagementIds: /,9$|^9$/ } }, missing, { times: Infinity });
	const getLast = { resource: 'upload', operation: 'getLast', engagementIds: '={{ $json.id }}' };
	const sought = [...itemsFrom(FIRST, 3), { id: 9 }];
	const { items: results } = await run(service, getLast, sought, onErrorContinue);
	expect(listIds(toJson(results))).toEqual([...ids.slice(0, 3), undefined]);
	expect(results[3]?.json.error).toContain('No engagement');
});
