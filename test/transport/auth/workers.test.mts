/**
 * n8n's workers each fetch their own token. Two runs whose credentials differ in how the Base URL is
 * written share nothing in this process either, and so stand for two workers.
 */
import type { SimulatedService } from '../../support/service/http.mts';
import { run } from '../../support/runs.mts';
import { smallWorld } from '../../support/smallWorld.mts';
import { company, many, storeOf, tokenRequests } from './tokens.mts';
import { useVirtualTime } from '../../support/virtualTime.mts';

useVirtualTime();

let service: SimulatedService;

beforeEach(async () => {
	({ service } = await smallWorld());
	service.settings.revokeEarlierTokens = true;
	service.settings.latencyMs = 20;
});

afterEach(async () => await service.close());

it.each([2, 3])(
	'%d workers who revoke the others’ tokens lose no results',
	async (count) => {
		const stores = many(count).map((_, worker) =>
			storeOf(service, { baseUrl: service.url + '/'.repeat(worker) }),
		);
		const results = await Promise.all(
			stores.map(
				async (credential) =>
					await run(service, company, many(150), { credential, onError: 'continueRegularOutput' }),
			),
		);
		const items = results.flatMap((result) => result.items);
		expect(items).toHaveLength(count * 150);
		expect(items.filter(({ json }) => 'error' in json)).toEqual([]);
		expect(tokenRequests(service).length).toBeLessThan(30);
	},
	60_000,
);

it('a worker uses the token that another one has stored meanwhile', async () => {
	const shared = storeOf(service);
	await run(service, company, [{}], { credential: shared });
	service.expireTokens();
	// The same stored credential, but another worker's memory of it.
	const results = await Promise.all(
		many(2).map(async () => await run(service, company, many(50), { credential: shared })),
	);
	expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
	expect(tokenRequests(service)).toHaveLength(1);
});
