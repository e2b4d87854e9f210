import { startWorker } from './n8n.mts';
import { startPostgres, type Postgres } from './postgres.mts';
import type { Program } from './program.mts';
import { startRedis, type Redis } from './redis.mts';
import { makeUserFolder, Sandbox, type Template } from './sandbox.mts';

/** How to start n8n in queue mode. */
export interface QueueOptions {
	/** The executions that each worker runs at once. */
	concurrency: number;
	/** n8n settings in addition to the usual ones. */
	env?: Record<string, string>;
}

/** n8n in queue mode with Redis and PostgreSQL: a main process in a sandbox, and workers. */
export class Queue {
	/** Those that were started, including killed ones. */
	private readonly workers: Program[] = [];

	private constructor(
		private readonly redis: Redis,
		private readonly postgres: Postgres,
		readonly sandbox: Sandbox,
		private readonly startWorker: () => Promise<Program>,
	) {}

	/** Starts everything but workers. */
	static async open(template: Template, { concurrency, env: given }: QueueOptions): Promise<Queue> {
		const opened: Array<() => Promise<unknown>> = [];
		try {
			const redis = await startRedis(template.folder);
			opened.unshift(() => redis.stop());
			const postgres = await startPostgres(template.folder);
			opened.unshift(() => postgres.stop());
			const env = { ...queueSettings(redis), ...postgres.env, ...given };
			const sandbox = await Sandbox.open(template, { env });
			return new Queue(redis, postgres, sandbox, async () => {
				// Each worker has a folder of its own, as on another machine.
				const folder = makeUserFolder(template);
				return await startWorker(template.installation, { folder, env, concurrency });
			});
		} catch (error) {
			for (const close of opened) await close();
			throw error;
		}
	}

	/** Starts or stops workers until there are so many. @returns how many were started */
	async setWorkers(count: number): Promise<number> {
		const { running } = this;
		for (const worker of running.slice(count)) await worker.stop();
		const missing = Array.from({ length: Math.max(0, count - running.length) });
		this.workers.push(...(await Promise.all(missing.map(async () => await this.startWorker()))));
		return missing.length;
	}

	/** The workers that run. */
	get running(): Program[] {
		return this.workers.filter((worker) => worker.running);
	}

	/** Stops everything. @throws when a file that the main process wrote contains a secret */
	async close(): Promise<void> {
		await this.setWorkers(0);
		await this.sandbox.close();
		await this.redis.stop();
		await this.postgres.stop();
	}
}

/** How many executions a worker has started, but not finished. */
export function loadOf({ log }: Program): number {
	const idsAfter = (words: string) =>
		[...log.matchAll(new RegExp(`Worker ${words} execution (\\d+)`, 'g'))].map(([, id = '']) => id);
	const finished = new Set(idsAfter('finished'));
	return idsAfter('started').filter((id) => !finished.has(id)).length;
}

function queueSettings({ port }: Redis): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(port),
	};
}
