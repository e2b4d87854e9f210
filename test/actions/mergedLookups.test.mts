/** Lookups of many items: what is sent together, and in how many requests. */
import type { IDataObject } from 'n8n-workflow';

import {
	errorText,
	itemsFrom,
	onErrorContinue,
	run,
	service,
	toJson,
	useService,
} from '../support/engine/runs.mts';
import { startService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

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
		engagementId: '={{ $json.id }}',
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

	it('asks for each engagement once', async () => {
		const sought = [2, 0, 2, 1].map((index) => ({ id: FIRST + index }));
		const { items: results } = await run(service, getLast(), sought);
		expect(listIds(toJson(results))).toEqual(sought.map(({ id }) => id));
		expect(service.requests.map(({ query }) => query.engagementIds?.split(',').length)).toEqual([
			3,
		]);
	});

	it('finds all external IDs together', async () => {
		const external = ids.slice(0, 120).map((id) => ({ external: makeExternalId(id) }));
		const engagementId = { __rl: true, mode: 'externalId', value: '={{ $json.external }}' };
		const { items: results } = await run(service, getLast({ engagementId }), external);
		expect(listIds(toJson(results))).toEqual(ids.slice(0, 120));
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

it('a filter with more IDs than fit into one request is refused before it is sent', async () => {
	const engagementIds = itemsFrom(FIRST, 300).map(({ id }) => id);
	const list = { resource: 'upload', operation: 'getAll', filters: { engagementIds } };
	expect(errorText(await run(service, list))).toMatch(
		/too long for one request .*split (it|them) across several items/,
	);
	expect(service.requests).toEqual([]);
});

it('only the item at fault fails, though the service refuses the page size as well', async () => {
	const missing = { kind: 'status', status: 404, body: { message: 'No engagement' } } as const;
	const large = { kind: 'status', status: 400, body: { message: 'size is too large' } } as const;
	service.fail({ query: { size: /./ } }, large, { times: Infinity });
	service.fail({ query: { engagementIds: /\b9$/ } }, missing, { times: Infinity });
	const getLast = { resource: 'upload', operation: 'getLast', engagementId: '={{ $json.id }}' };
	const sought = [...itemsFrom(FIRST, 3), { id: 9 }];
	const { items: results } = await run(service, getLast, sought, onErrorContinue);
	expect(listIds(toJson(results))).toEqual([...ids.slice(0, 3), undefined]);
	expect(results[3]?.json.error).toContain('No engagement');
});
