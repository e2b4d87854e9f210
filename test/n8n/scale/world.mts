import { startService, type SimulatedService } from '../../support/service/http.mts';
import type { Settings } from '../../support/service/settings.mts';
import { Queue, type QueueOptions } from '../queue.mts';
import { credentialFor, type Template } from '../sandbox.mts';
import { Meter, type Usage } from './processes.mts';

/** How long a request takes at the simulated service, ms. */
export const LATENCY = 100;
/** n8n's default. */
export const CONCURRENCY = 10;

/** n8n in queue mode for one measurement after another, each with a service of its own. */
export class World {
	private constructor(
		readonly queue: Queue,
		/** What each process needs with nothing to do. */
		readonly idle: ReadonlyMap<string, Usage>,
	) {}

	static async open(template: Template, options: Partial<QueueOptions> = {}): Promise<World> {
		const defaults = { workers: 1, concurrency: CONCURRENCY };
		const queue = await Queue.open(template, { ...defaults, ...options });
		return new World(queue, meterOf(queue).stop());
	}

	get rest() {
		return this.queue.sandbox.rest;
	}

	/** n8n's own address. */
	get url(): string {
		return this.queue.sandbox.n8n.url;
	}

	/** Runs something with a new service, and a credential for it. */
	async withService<T>(
		settings: Partial<Settings>,
		work: (service: SimulatedService, credential: string) => Promise<T>,
	): Promise<T> {
		// Uploads that refreshes start never complete, so that a trigger emits only others.
		const defaults = { latencyMs: LATENCY, uploadDurationMs: Infinity };
		const service = await startService({ settings: { ...defaults, ...settings } });
		try {
			const credential = credentialFor(service, 'tokenEndpoint');
			return await work(service, await this.rest.createCredential(credential));
		} finally {
			await service.close();
		}
	}

	/** Measures what each process uses from now on. */
	startMeter(): Meter {
		return meterOf(this.queue);
	}

	async close(): Promise<void> {
		await this.queue.close();
	}
}

function meterOf({ workers, redis, postgres, sandbox }: Queue): Meter {
	const running = workers.filter((worker) => worker.running);
	return new Meter(
		new Map([
			['main', sandbox.n8n.pid],
			...running.map(({ pid }, index): [string, number] => [`worker ${index + 1}`, pid]),
			['PostgreSQL', postgres.program.pid],
			['Redis', redis.program.pid],
		]),
	);
}

/** What a service has seen. */
export interface Seen {
	requests: number;
	/** Rejected by the rate limit. */
	limited: number;
	/** Rejected because of the token. */
	unauthorised: number;
	tokens: number;
}

export function seenBy({ requests, settings }: SimulatedService): Seen {
	const withStatus = (wanted: number) => requests.filter(({ status }) => status === wanted).length;
	return {
		requests: requests.length,
		limited: withStatus(429),
		unauthorised: withStatus(401),
		tokens: requests.filter(({ path }) => path === settings.tokenPath).length,
	};
}
