/** Lookups of many items, and filters by many IDs: what is sent together, and in how many requests. */
import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import {
	errorText,
	itemsFrom,
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

	it('finds all external IDs together, and returns them, too', async () => {
		const external = ids.slice(0, 120).map((id) => ({ external: makeExternalId(id) }));
		const by = { engagementsBy: 'externalId', externalEngagementIds: '={{ $json.external }}' };
		const { items: results } = await run(service, getLast(by), external);
		const expected = external.map((each, index) => {
			return { engagementId: ids[index], externalEngagementId: each.external };
		});
		expect(toJson(results)).toMatchObject(expected);
		expect(service.requests.filter(({ path }) => path.endsWith('/lastUploads'))).toHaveLength(2);
		expectShortUrls();
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
