import { setTimeout as sleep } from 'node:timers/promises';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { CONNECTOR, type Workload } from './workloads.mts';

/** Where the service is, and its credentials. */
export type Target = Pick<
	SimulatedService,
	'url' | 'clientId' | 'subscriptionKey' | 'accessToken' | 'tokenRequestFields'
>;

/** What the service has seen. */
export interface Seen {
	requests: number;
	/** Maximum number in flight at the same time. */
	mostAtOnce: number;
}

/** Age of the newest upload: all are in the past, so a running clock changes nothing. */
const NEWEST = 60_000;

/** The simulated service with the records of a workload, and a count of its requests. */
export class MeasuredService {
	private requests = 0;

	private constructor(private readonly service: SimulatedService) {
		const handle = service.handle.bind(service);
		service.handle = (request) => {
			this.requests += 1;
			return handle(request);
		};
	}

	static async start({ engagements, uploads, uploadEvery }: Workload): Promise<MeasuredService> {
		const settings = { tokenLifetimeMs: 24 * 3_600_000 };
		const service = await startService({ record: false, settings });
		const { model } = service;
		model.addConnector({ name: CONNECTOR });
		for (let id = 1; id <= engagements; id += 1) {
			model.addEngagement({ id, externalEngagementId: `E-${id}`, name: `Company ${id} Ltd` });
		}
		const newest = model.now - NEWEST;
		for (let left = uploads - 1; left >= 0; left -= 1) {
			const engagementId = 1 + (left % engagements);
			model.addCompletedUpload({ engagementId, completedAt: newest - left * uploadEvery });
		}
		return new MeasuredService(service);
	}

	get target(): Target {
		const { url, clientId, subscriptionKey, accessToken, tokenRequestFields } = this.service;
		return { url, clientId, subscriptionKey, accessToken, tokenRequestFields };
	}

	/** Begins a measurement. */
	async begin({ latencyMs, rateLimit }: Pick<Workload, 'latencyMs' | 'rateLimit'>): Promise<void> {
		// Requests of the previous run must not count against this one.
		if (rateLimit !== null) await sleep(rateLimit.perMs);
		Object.assign(this.service.settings, { latencyMs, rateLimit });
		this.requests = 0;
		this.service.clearRequests();
	}

	get seen(): Seen {
		return { requests: this.requests, mostAtOnce: this.service.mostAtOnce };
	}

	async close(): Promise<void> {
		await this.service.close();
	}
}
