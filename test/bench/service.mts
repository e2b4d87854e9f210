/** The simulated service with the records of a workload, and a count of its requests. */
import { startService, type SimulatedService } from '../support/service/http.mts';
import { CONNECTOR, type Workload } from './workloads.mts';

/** Where the service is, and its credentials. */
export type Target = Pick<
	SimulatedService,
	'url' | 'clientId' | 'subscriptionKey' | 'accessToken' | 'tokenRequestFields'
>;

/** Age of the newest upload: all are in the past, so a running clock changes nothing. */
const NEWEST = 60_000;

export class MeasuredService {
	requests = 0;

	private constructor(private readonly service: SimulatedService) {
		const handle = service.handle.bind(service);
		service.handle = (request) => {
			this.requests += 1;
			return handle(request);
		};
	}

	static async start(work: Workload): Promise<MeasuredService> {
		const { engagements, uploads = 0, uploadEvery = 60_000, latencyMs, fault } = work;
		const settings = { tokenLifetimeMs: 24 * 3_600_000, latencyMs };
		const service = await startService({ record: false, settings });
		const { model } = service;
		model.addConnector({ name: CONNECTOR });
		for (let id = 1; id <= engagements; id += 1)
			model.addEngagement({ id, externalEngagementId: `E-${id}`, name: `Company ${id} Ltd` });
		const newest = model.now - NEWEST;
		for (let left = uploads - 1; left >= 0; left -= 1) {
			const engagementId = 1 + (left % engagements);
			model.addCompletedUpload({ engagementId, completedAt: newest - left * uploadEvery });
		}
		if (fault !== undefined) service.fail(...fault, { times: Infinity });
		return new MeasuredService(service);
	}

	get target(): Target {
		const { url, clientId, subscriptionKey, accessToken, tokenRequestFields } = this.service;
		return { url, clientId, subscriptionKey, accessToken, tokenRequestFields };
	}

	async close(): Promise<void> {
		await this.service.close();
	}
}
