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
	private constructor(
		readonly redis: Redis,
		readonly postgres: Postgres,
		readonly sandbox: Sandbox,
		readonly workers: Program[],
	) {}

	static async open(
		template: Template,
		{ workers: count, concurrency, env: given, ...options }: QueueOptions,
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
			// Each worker has a folder of its own, as on another machine.
			const start = async () =>
				await startWorker(template.installation, {
					folder: makeUserFolder(template),
					env,
					concurrency,
				});
			const workers = await Promise.all(Array.from({ length: count }, start));
			return new Queue(redis, postgres, sandbox, workers);
		} catch (error) {
			for (const close of opened) await close();
			throw error;
		}
	}

	/** Stops everything. @throws when a file that the main process wrote contains a secret */
	async close(): Promise<void> {
		for (const worker of this.workers) await worker.stop();
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
