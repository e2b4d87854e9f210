/** The simulated service in a process of its own, with the given latency and numbers of records. */
import type { CredentialTarget } from '../support/world/credentials.mts';
import { SimulatedService } from '../support/service/http.mts';
import type { SimRequest } from '../support/service/request.mts';
import type { Outcome } from '../support/service/service.mts';
import { bodyText } from '../support/service/wire.mts';

/** Answers what was read before from memory, so that the nodes are measured, and not the service. */
class RememberingService extends SimulatedService {
	private readonly known = new Map<string, Outcome>();

	override handle(request: SimRequest): Outcome {
		if (request.method !== 'GET') return super.handle(request);
		const answer = this.known.get(request.url) ?? super.handle(request);
		if (answer.response) answer.response.body = bodyText(answer.response);
		this.known.set(request.url, answer);
		return answer;
	}
}

process.once('disconnect', () => process.exit());
const [latencyMs = 0, engagements = 0, uploads = 0] = process.argv.slice(2).map(Number);
const settings = { tokenLifetimeMs: 24 * 3_600_000, latencyMs };
const service = new RememberingService({ settings, record: false });
const { model } = service;
for (let id = 1; id <= engagements; id += 1) {
	const { id: connectorId } = model.addConnector();
	model.addEngagement({ id, connectorId });
}
for (let left = uploads; left > 0; left -= 1) {
	const completedAt = model.now - left * 60_000;
	model.addCompletedUpload({ engagementId: 1 + (left % engagements), completedAt });
}
await service.listen(0);
const { url, clientId, subscriptionKey, accessToken } = service;
process.send?.({ url, clientId, subscriptionKey, accessToken } satisfies CredentialTarget);
