/** Several processes of n8n that share a credential. */
import { CREDENTIAL, endpointCredentialOf } from '../support/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { typesOfWorker } from '../support/engine/workers.mts';
import { runNode } from '../support/engine/run.mts';
import { jsonOf, setupOf, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { smallWorld } from '../support/smallWorld.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

let service: SimulatedService;
useService(beforeEach, async () => ({ service } = await smallWorld()));

const company = { resource: 'company', operation: 'get', engagementId: 1001 };

it.each([
	[3, 20],


	[2, 1],
	[5, 1],

])('%i workers with %i items', async (count, items) => {
	const out = [];
	for (let round = 0; round < 12; round++) {
		Object.assign(service.settings, { revokeEarlierTokens: true, latencyMs: [10, 90] });
		const credential = new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service) });
		const { save } = credential;
		credential.save = (type, data) => {
			void systemClock.sleep(Math.random() * 150).then(() => save.call(credential, type, data));
		};
		service.clearRequests();
		const t0 = Date.now();
		const results = await Promise.all(
			Array.from({ length: count }, async () =>
				await runNode({
					...setupOf(service, company, Array.from({ length: items }, () => ({})), {
						credential,
						onError: 'continueRegularOutput',
					}),
					types: typesOfWorker(),
				}),
			),
		);
		const all = results.flatMap((result) => jsonOf(result.items));
		const errors = all.filter((json) => 'error' in json);
		const tokens = service.requests.filter(({ path }) => path.includes('token')).length;
		out.push(`${errors.length}/${all.length}, tokens ${tokens}, requests ${service.requests.length}, ms ${Date.now() - t0}`);
	}
	console.log(out.join('\n'));
});
