import {
	FINISHED,
	Rest,
	type Execution,
	type SavedWorkflow,
	type WorkflowInput,
} from '../rest.mts';
import { waitFor } from '../waitFor.mts';

interface ExecutionPage {
	results: Array<{ id: string }>;
}

const PAGE = 100;
const ERROR_TRIGGER_NODE = 'n8n-nodes-base.errorTrigger';

/** The differences in the REST interface of n8n 1.123. */
export class OldestRest extends Rest {
	override async createWorkflow(workflow: WorkflowInput): Promise<SavedWorkflow> {
		return await this.send('POST', '/workflows', { ...workflow, active: false });
	}

	/**
	 * Once n8n responds, the workflow is active or could not be activated. Error workflows need not
	 * be.
	 */
	override async activate({ id, nodes, versionId }: SavedWorkflow): Promise<void> {
		if (nodes.some(({ type }) => type === ERROR_TRIGGER_NODE)) return;
		await this.send('POST', `/workflows/${id}/activate`, { versionId });
	}

	/** n8n saves the status of an execution a moment before it saves its data. */
	override async execution(id: string): Promise<Execution> {
		const check = async () => {
			const execution = await super.execution(id);
			const isEmpty = Object.keys(execution.runData).length === 0 && !execution.error;
			return FINISHED.includes(execution.status) && isEmpty ? undefined : execution;
		};
		return await waitFor(check, { what: `the data of execution ${id}` });
	}

	/** n8n expects the workflow to run in the request. */
	override async run(workflowId: string, trigger: string): Promise<Execution> {
		return await super.run(workflowId, trigger, { workflowData: await this.workflow(workflowId) });
	}

	override async executionsOf(workflowId: string, status = FINISHED): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
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
