/** Several processes of n8n that share a credential, with a service where new tokens revoke earlier ones. */
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { makeEndpointCredential } from '../support/world/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { runNode } from '../support/engine/nodeRun.mts';
import { typesOfWorker } from '../support/engine/workers.mts';
import { makeSetup, onErrorContinue, toJson, useService } from '../support/engine/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { SeededRandom } from '../support/service/random.mts';
import { smallWorld } from '../support/world/smallWorld.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

let service: SimulatedService;
useService(beforeEach, async () => ({ service } = await smallWorld()));

const company = { resource: 'company', operation: 'get', engagementId: 1001 };

/** A credential that n8n saves a while after a token was fetched, so that an earlier one may overwrite it. */
function slowlySaved(random: SeededRandom): CredentialStore {
	const store = new CredentialStore(makeEndpointCredential(service));
	const { save } = store;
	store.save = (data) =>
		void systemClock.sleep(random.below(150)).then(() => save.call(store, data));
	return store;
}

it.each([
	{ workers: 2, items: 60 },
	{ workers: 4, items: 1 },
])('$workers workers with $items items lose no results', async ({ workers, items }) => {
	const random = new SeededRandom(7);
	Object.assign(service.settings, { revokeEarlierTokens: true, latencyMs: [10, 90] });
	for (let round = 0; round < 3; round++) {
		service.clearRequests();
		const input = Array.from({ length: items }, () => ({}));
		const credential = slowlySaved(random);
		const setup = makeSetup(service, company, input, { credential, ...onErrorContinue });
		const runOne = async () => await runNode({ ...setup, types: typesOfWorker() });
		const runs = Array.from({ length: workers }, runOne);
		const output = (await Promise.all(runs)).flatMap((result) => toJson(result.items));
		expect(output).toHaveLength(workers * items);
		expect(output.filter((json) => 'error' in json)).toEqual([]);
		const tokens = service.requests.filter(({ path }) => path === service.settings.tokenPath);
		expect(tokens.length).toBeLessThanOrEqual(3 * workers);
	}
});
