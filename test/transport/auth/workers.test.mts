/**
 * n8n's workers each fetch their own token. Two runs whose credentials differ in the Token URL share
 * nothing in this process either, and so stand for two workers.
 */
import type { SimulatedService } from '../../support/service/http.mts';
import { run } from '../../support/runs.mts';
import { smallWorld } from '../../support/smallWorld.mts';
import { company, many, storeOf, TOKEN_PATH, tokenRequests } from './tokens.mts';
import { useVirtualTime } from '../../support/virtualTime.mts';

useVirtualTime();

let service: SimulatedService;

beforeEach(async () => {
	({ service } = await smallWorld());
	service.settings.revokeEarlierTokens = true;
	service.settings.latencyMs = 20;
});

afterEach(async () => await service.close());

it('five workers who revoke the others’ tokens lose no results', async () => {
	const stores = many(5).map((_, worker) =>
		storeOf(service, { tokenUrl: `${TOKEN_PATH}?worker=${worker}` }),
	);
	const continuing = { onError: 'continueRegularOutput' } as const;
	const results = await Promise.all(
		stores.map(
			async (credential) => await run(service, company, many(150), { credential, ...continuing }),
		),
	);
	const items = results.flatMap((result) => result.items);
	expect(items).toHaveLength(5 * 150);
	expect(items.filter(({ json }) => 'error' in json)).toEqual([]);
	expect(tokenRequests(service).length).toBeLessThan(20);
});

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
