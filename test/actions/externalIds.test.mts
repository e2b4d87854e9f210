/** Many external IDs at once: how they are looked up, and how lists are filtered by them. */
import { startService, type SimulatedService } from '../support/service/http.mts';
import { errorText, itemsFrom, jsonOf, outputOf, run, useService } from '../support/runs.mts';

const items = itemsFrom(1_000_001, 120);
const externalIdOf = (id: number) => `customer & partners / ${id}`;

let service: SimulatedService;

useService(beforeEach, async () => (service = await startService()));
beforeEach(() => {
	service.model.addConnector({ id: '1', name: 'cloudbooks' });
	for (const { id } of items) {
		service.model.addEngagement({ id, externalEngagementId: externalIdOf(id) });
		service.model.addCompletedUpload({ engagementId: id });
	}
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
	const asked = items.map(({ id }) => ({ external: externalIdOf(id) }));
	const lookUps = () => service.requests.filter(({ path }) => path.endsWith('/engagements'));

	it('are looked up with short URLs', async () => {
		const { items: results, error } = await run(service, periods, asked);
		expect(error).toBeUndefined();
		const ids = jsonOf(results).map(({ engagementId }) => engagementId);
		expect(ids.filter((_, index) => index % 12 === 0)).toEqual(items.map(({ id }) => id));
		for (const { url } of lookUps()) {
			expect(service.url.length + url.length).toBeLessThanOrEqual(2000);
		}
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
