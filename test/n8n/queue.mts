import { startPostgres, startRedis } from './databases.mts';
import { startWorker } from './n8n.mts';
import type { Program } from './program.mts';
import { makeUserFolder, Sandbox, type SandboxOptions, type Template } from './sandbox.mts';

/** n8n in queue mode with Redis and PostgreSQL: a main process in a sandbox, and two workers. */
export class Queue {
	private constructor(
		readonly sandbox: Sandbox,
		readonly workers: readonly Program[],
		private readonly databases: readonly Program[],
	) {}

	static async open(template: Template, options: SandboxOptions): Promise<Queue> {
		const databases = [await startRedis(template.folder), await startPostgres(template.folder)];
		const env = Object.assign({}, ...databases.map((each) => each.env), options.env);
		const sandbox = await Sandbox.open(template, { ...options, env });
		const workers: Program[] = [];
		while (workers.length < 2) {
			// Each worker has a folder of its own, as on another machine.
			const folder = makeUserFolder(template);
			workers.push(await startWorker(template.installation, { folder, env }));
		}
		return new Queue(
			sandbox,
			workers,
			databases.map(({ program }) => program),
		);
	}

	/** Stops everything. @throws when a file that the main process wrote contains a secret */
	async close(): Promise<void> {
		for (const worker of this.workers) await worker.stop();
		await this.sandbox.close();
		for (const database of this.databases) await database.stop();
	}
}

/** The IDs of the executions that a worker has started, and of those that it has finished. */
export function executionsIn({ log }: Program): { started: string[]; finished: string[] } {
	const idsAfter = (words: string) =>
		[...log.matchAll(new RegExp(`Worker ${words} execution (\\d+)`, 'g'))].map(([, id = '']) => id);
	return { started: idsAfter('started'), finished: idsAfter('finished') };
}
