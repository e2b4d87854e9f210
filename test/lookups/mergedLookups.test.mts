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
const items = itemsFrom(FIRST, 250);
const ids = items.map(({ id }) => id);
const makeExternalId = (id: number) => `customer & partners / ${id}`;

useService(beforeAll, startService);
beforeAll(() => {
	for (const { id } of items) {
		service.model.addEngagement({ id, externalEngagementId: makeExternalId(id) });
		service.model.addCompletedUpload({ engagementId: id });
	}
});

const listIds = (records: IDataObject[]) => records.map(({ engagementId }) => engagementId);
/** How many IDs each request asks for. */
const countIds = (name: string) =>
	service.requests.map(({ query }) => query[name]?.split(',').length);
const getLast = { resource: 'upload', operation: 'getLast', engagementId: '={{ $json.id }}' };
const byExternalId = { __rl: true, mode: 'externalId', value: '={{ $json.external }}' };

it('100 engagements share a request, each once, and each item gets its own', async () => {
	const given = [...items, ...items.slice(0, 7)];
	const { items: results } = await run(service, getLast, given);
	expect(listIds(toJson(results))).toEqual(given.map(({ id }) => id));
	expect(results.map(({ pairedItem }) => pairedItem)).toEqual(given.map((_, item) => ({ item })));
	expect(countIds('engagementIds')).toEqual([100, 100, 50]);
});

it('external IDs are looked up 50 at a time, and fewer if they are long', async () => {
	const find = async (externals: string[]) => {
		const given = externals.map((external) => ({ external }));
		const parameters = { ...getLast, engagementId: byExternalId };
		return listIds(toJson((await run(service, parameters, given, onErrorContinue)).items));
	};
	await find(Array.from({ length: 100 }, (_, index) => `N-${index}`));
	expect(countIds('externalEngagementId')).toEqual([50, 50]);
	expect(await find(ids.slice(0, 120).map(makeExternalId))).toEqual(ids.slice(0, 120));
	for (const { url } of service.requests)
		expect(service.url.length + url.length).toBeLessThanOrEqual(2000);
});

it('a filter with more IDs than fit into one request is refused before it is sent', async () => {
	const engagementIds = itemsFrom(FIRST, 300).map(({ id }) => id);
	const list = { resource: 'upload', operation: 'getAll', filters: { engagementIds } };
	expect(errorText(await run(service, list))).toMatch(
		/too long for one request .*split (it|them) across several items/,
	);
	expect(service.requests).toEqual([]);
});
