import { startWorker } from './n8n.mts';
import { startPostgres, type Postgres } from './postgres.mts';
import type { Program } from './program.mts';
import { startRedis, type Redis } from './redis.mts';
import { makeUserFolder, Sandbox, type SandboxOptions, type Template } from './sandbox.mts';

/** How to start n8n in queue mode. */
export interface QueueOptions extends SandboxOptions {
	workers: number;
	/** The executions that each worker runs at once. */
	concurrency?: number;
}

/** n8n in queue mode with Redis and PostgreSQL: a main process in a sandbox, and workers. */
export class Queue {
	/** Those that were started, including killed ones. */
	readonly workers: Program[] = [];

	private constructor(
		readonly redis: Redis,
		readonly postgres: Postgres,
		readonly sandbox: Sandbox,
		private readonly startWorker: () => Promise<Program>,
	) {}

	static async open(
		template: Template,
		{ workers, concurrency, env: given, ...options }: QueueOptions,
	): Promise<Queue> {
		const opened: Array<() => Promise<unknown>> = [];
		try {
			const redis = await startRedis(template.folder);
			opened.unshift(() => redis.stop());
			const postgres = await startPostgres(template.folder);
			opened.unshift(() => postgres.stop());
			const env = { ...queueSettings(redis), ...postgres.env, ...given };
			const sandbox = await Sandbox.open(template, { ...options, env });
			opened.unshift(() => sandbox.close());
			const queue = new Queue(redis, postgres, sandbox, async () => {
				// Each worker has a folder of its own, as on another machine.
				const folder = makeUserFolder(template);
				return await startWorker(template.installation, { folder, env, concurrency });
			});
			await queue.setWorkers(workers);
			return queue;
		} catch (error) {
			for (const close of opened) await close();
			throw error;
		}
	}

	/** Starts or stops workers until there are so many. */
	async setWorkers(count: number): Promise<void> {
		const running = this.workers.filter((worker) => worker.running);
		for (const worker of running.slice(count)) await worker.stop();
		const missing = Array.from({ length: Math.max(0, count - running.length) });
		this.workers.push(...(await Promise.all(missing.map(async () => await this.startWorker()))));
	}

	/** Stops everything. @throws when a file that the main process wrote contains a secret */
	async close(): Promise<void> {
		await this.setWorkers(0);
		await this.sandbox.close();
		await this.redis.stop();
		await this.postgres.stop();
	}
}

/** The executions that a worker has started, and those of them that it has not finished. */
export function executionsOn({ log }: Program): { started: string[]; unfinished: string[] } {
	const idsAfter = (words: string) =>
		[...log.matchAll(new RegExp(`Worker ${words} execution (\\d+)`, 'g'))].map(([, id = '']) => id);
	const started = idsAfter('started');
	const finished = new Set(idsAfter('finished'));
	return { started, unfinished: started.filter((id) => !finished.has(id)) };
}

function queueSettings({ port }: Redis): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(port),
	};
}
