import { startWorker } from './n8n.mts';
import { startPostgres } from './postgres.mts';
import type { Program } from './program.mts';
import { startRedis, type Redis } from './redis.mts';
import { makeUserFolder, Sandbox, type SandboxOptions, type Template } from './sandbox.mts';

/** How to start n8n in queue mode. */
export interface QueueOptions extends SandboxOptions {
	workers: number;
	/** The executions that each worker runs at once. */
	concurrency: number;
}

/** n8n in queue mode with Redis and PostgreSQL: a main process in a sandbox, and workers. */
export class Queue {
	private constructor(
		readonly sandbox: Sandbox,
		readonly workers: readonly Program[],
		/** Stops everything. @throws when a file that the main process wrote contains a secret */
		readonly close: () => Promise<void>,
	) {}

	static async open(template: Template, options: QueueOptions): Promise<Queue> {
		const opened: Array<() => Promise<unknown>> = [];
		const close = async () => {
			for (const closeOne of opened.splice(0).reverse()) await closeOne();
		};
		try {
			const redis = await startRedis(template.folder);
			opened.push(() => redis.stop());
			const postgres = await startPostgres(template.folder);
			opened.push(() => postgres.stop());
			const { concurrency, service } = options;
			const env = { ...queueSettings(redis), ...postgres.env, ...options.env };
			const sandbox = await Sandbox.open(template, { env, service });
			opened.push(() => sandbox.close());
			const workers: Program[] = [];
			while (workers.length < options.workers) {
				// Each worker has a folder of its own, as on another machine.
				const folder = makeUserFolder(template);
				const worker = await startWorker(template.installation, { folder, env, concurrency });
				workers.push(worker);
				opened.push(() => worker.stop());
			}
			return new Queue(sandbox, workers, close);
		} catch (error) {
			await close();
			throw error;
		}
	}
}

/** The IDs of the executions that a worker has started, and of those that it has finished. */
export function executionsIn({ log }: Program): { started: string[]; finished: string[] } {
	const idsAfter = (words: string) =>
		[...log.matchAll(new RegExp(`Worker ${words} execution (\\d+)`, 'g'))].map(([, id = '']) => id);
	return { started: idsAfter('started'), finished: idsAfter('finished') };
}

function queueSettings({ port }: Redis): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(port),
	};
}
