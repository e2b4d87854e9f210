/** Several processes of n8n that share a credential, with a service where new tokens revoke earlier ones. */
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { makeEndpointCredential } from '../support/world/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { runNode } from '../support/engine/nodeRun.mts';
import { typesOfWorker } from '../support/engine/workers.mts';
import { makeSetup, onErrorContinue, toJson } from '../support/engine/runs.mts';
import { isLong } from '../support/long.mts';
import { SeededRandom } from '../support/service/random.mts';
import { playInTime } from '../support/time/queuedTime.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { smallWorld } from '../support/world/smallWorld.mts';
import { Account, loadWorker } from './workerModel.mts';

jest.setTimeout(3_600_000);

useVirtualTime();

/** Each worker may fetch a token at the start, and replace it twice. */
const MAX_TOKENS = 3;

it("in n8n's engine, two workers lose no results", async () => {
	const service = await smallWorld();
	Object.assign(service.settings, { revokeEarlierTokens: true, latencyMs: [10, 90] });
	const credential = new CredentialStore(makeEndpointCredential(service));
	const company = { resource: 'company', operation: 'get', engagementId: 1001 };
	const items = Array.from({ length: 60 }, () => ({}));
	const setup = makeSetup(service, company, items, { credential, ...onErrorContinue });
	const runOne = async () => await runNode({ ...setup, types: typesOfWorker() });
	const output = (await Promise.all([runOne(), runOne()])).flatMap((run) => toJson(run.items));
	const tokens = service.requests.filter(({ path }) => path === service.settings.tokenPath);
	await service.close();
	expect(output).toHaveLength(120);
	expect(output.filter((json) => 'error' in json)).toEqual([]);
	expect(tokens.length).toBeLessThanOrEqual(2 * MAX_TOKENS);
});

/** The same ones in every run; `npm run test:long` plays thousands. */
const ROUNDS = isLong ? 2000 : 20;

describe(`in each of ${ROUNDS} rounds without sockets`, () => {
	const workers = Array.from({ length: 8 }, loadWorker);

	it.each([2, 4, 8])('%i workers lose no results', async (count) => {
		const random = new SeededRandom(count);
		for (let round = 0; round < ROUNDS; round++) {
			const account = new Account(random, `${count}-${round}`);
			// One that gets a single record does not store its token again.
			const records = random.pick([1, 1, 1, 10]);
			const lost = await playInTime(async () => {
				const runs = workers.slice(0, count).map(async (worker) => {
					await systemClock.sleep(random.below(random.pick([1, 100])));
					return await account.lose(worker, records);
				});
				return await Promise.all(runs);
			});
			expect({ round, lost }).toEqual({ round, lost: lost.map(() => 0) });
			expect(account.tokens).toBeLessThanOrEqual(count * MAX_TOKENS);
		}
	});
});
