import {
	FINISHED,
	Rest,
	type Execution,
	type SavedWorkflow,
	type WorkflowInput,
} from '../rest.mts';

interface ExecutionPage {
	results: Array<{ id: string }>;
}

const PAGE = 100;

/** What n8n 1.123 has otherwise in its REST interface. */
export class OldestRest extends Rest {
	override async createWorkflow(workflow: WorkflowInput): Promise<SavedWorkflow> {
		return await this.send('POST', '/workflows', { ...workflow, active: false });
	}

	/** The workflow is active, or could not be activated, once n8n answers. */
	override async activate({ id, versionId }: SavedWorkflow): Promise<void> {
		await this.send('POST', `/workflows/${id}/activate`, { versionId });
	}

	/** n8n wants to be sent what it is to run. */
	override async run(workflowId: string, trigger: string): Promise<Execution> {
		return await super.run(workflowId, trigger, { workflowData: await this.workflow(workflowId) });
	}

	override async executionsOf(workflowId: string): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: FINISHED }));
		const ids: string[] = [];
		for (;;) {
			const last = ids.at(-1);
			const before = last === undefined ? '' : `&lastId=${last}`;
			const path = `/executions?limit=${PAGE}&filter=${filter}${before}`;
			const { results } = await this.send<ExecutionPage>('GET', path);
			ids.push(...results.map(({ id }) => id));
			if (results.length < PAGE) return ids.sort((a, b) => Number(a) - Number(b));
		}
	}
}
