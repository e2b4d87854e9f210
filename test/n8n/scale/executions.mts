import type { IDataObject } from 'n8n-workflow';
import { FINISHED, type Rest } from '../rest.mts';
import { waitUntil } from '../waitFor.mts';

const ACTIVE = ['new', 'running'];

/** The executions of some workflows. */
export class Executions {
	constructor(
		private readonly rest: Rest,
		private readonly workflowIds: readonly string[],
	) {}

	/** Those that have failed or crashed. */
	async failed(): Promise<string[]> {
		return await this.withStatus(FINISHED.filter((status) => status !== 'success'));
	}

	/** Waits until none is in the queue or under way, except those of a dead worker. */
	async finish(except: readonly string[] = []): Promise<void> {
		const isIdle = async () => (await this.withStatus(ACTIVE)).every((id) => except.includes(id));
		await waitUntil(isIdle, { what: 'the executions to finish', interval: 500 });
	}

	/** What those in the queue or under way were started with; n8n keeps it until they end. */
	async activeInputs(): Promise<Map<string, IDataObject[]>> {
		const ids = await this.withStatus(ACTIVE);
		const read = async (id: string) => [id, (await this.rest.execution(id)).input] as const;
		return new Map(await Promise.all(ids.map(read)));
	}

	private async withStatus(statuses: string[]): Promise<string[]> {
		const { rest, workflowIds } = this;
		const lists = workflowIds.map(async (id) => await rest.executionsOf(id, statuses));
		return (await Promise.all(lists)).flat();
	}
}
