import { parse } from 'flatted';
import type { IRunData, IWorkflowBase } from 'n8n-workflow';
import { waitUntil } from '../process/waitFor.mts';

/** A credential to save. */
export interface CredentialInput {
	name: string;
	type: string;
	data: object;
}

/** A workflow to save. */
export type WorkflowInput = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections'> &
	Partial<Pick<IWorkflowBase, 'settings'>>;

/** A workflow as it was saved. */
export interface SavedWorkflow extends WorkflowInput {
	id: string;
	versionId: string;
}

/** The result of an execution. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	/** By node name. */
	runData: IRunData;
	error?: { message: string };
}

const FINISHED = ['success', 'error', 'crashed', 'canceled'];

/** What n8n answers, before it does anything, while its database is slow on a busy machine. */
const DATABASE_BUSY = 'Database is not ready!';

/** n8n's REST interface, as the editor uses it. */
export class Rest {
	private cookie = '';

	constructor(readonly url: string) {}

	/** Creates the owner of a new n8n and logs in. */
	async setUpOwner(owner: object): Promise<void> {
		await this.send('POST', '/owner/setup', owner);
	}

	async logIn(email: string, password: string): Promise<void> {
		await this.send('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** @returns its ID */
	async createCredential(credential: CredentialInput): Promise<string> {
		const { id } = await this.send<{ id: string }>('POST', '/credentials', credential);
		return id;
	}

	async createWorkflow(workflow: WorkflowInput): Promise<SavedWorkflow> {
		return await this.send('POST', '/workflows', workflow);
	}

	async workflow(id: string): Promise<SavedWorkflow> {
		return await this.send('GET', `/workflows/${id}`);
	}

	/** All workflows, with their IDs and names, in the editor's order: the last changed first. */
	async workflows(): Promise<Array<{ id: string; name: string }>> {
		return await this.send('GET', '/workflows?sortBy=updatedAt:desc');
	}

	async updateWorkflow(id: string, change: Partial<WorkflowInput>): Promise<SavedWorkflow> {
		return await this.send('PATCH', `/workflows/${id}`, change);
	}

	/** Publishes a workflow as it was saved last, and waits until its triggers are active. */
	async activate({ id }: Pick<SavedWorkflow, 'id'>): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.send('POST', `/workflows/${id}/activate`, { versionId });
		const isPublished = async () => {
			const path = `/workflows/${id}/publication-status`;
			const publication = await this.send<{ status: string }>('GET', path);
			const { status } = publication;
			// n8n reads parts of the status one after the other, so it may say “not_published” too.
			if (['published', 'in_progress', 'not_published'].includes(status))
				return status === 'published';
			throw new Error(`Workflow ${id} is not published: ${JSON.stringify(publication)}`);
		};
		await waitUntil(isPublished, `workflow ${id} to be published`);
	}

	async deactivate({ id }: Pick<SavedWorkflow, 'id'>): Promise<void> {
		await this.send('POST', `/workflows/${id}/deactivate`, {});
	}

	/** Runs a workflow from the trigger of this name and waits until it has finished. */
	async run(workflowId: string, trigger: string): Promise<Execution> {
		const body = { triggerToStartFrom: { name: trigger } };
		const path = `/workflows/${workflowId}/run`;
		const { executionId } = await this.send<{ executionId: string }>('POST', path, body);
		const check = async () => {
			const execution = await this.execution(executionId);
			return FINISHED.includes(execution.status) ? execution : undefined;
		};
		return await waitUntil(check, `execution ${executionId} to finish`);
	}

	async execution(id: string): Promise<Execution> {
		type Answer = Omit<Execution, 'runData' | 'error'> & { data?: string };
		const { data, ...answer } = await this.send<Answer>('GET', `/executions/${id}`);
		// In the format of the package flatted; absent until there is data.
		const stored: { resultData: Pick<Execution, 'runData' | 'error'> } | undefined =
			data && parse(data);
		return { ...answer, runData: {}, ...stored?.resultData };
	}

	/** The IDs of a workflow's last 100 executions with one of these statuses, oldest first. */
	async listExecutions(workflowId: string, status = FINISHED): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const path = `/executions?limit=100&filter=${filter}`;
		const { results }: { results: Array<{ id: string }> } = await this.send('GET', path);
		return results.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
	}

	private async send<T = unknown>(method: string, path: string, body?: object): Promise<T> {
		const answered = async () => {
			const answer = await fetch(`${this.url}/rest${path}`, {
				method,
				headers: {
					'browser-id': 'engagement-uploads-tests',
					'content-type': 'application/json',
					cookie: this.cookie,
					// n8n may have been restarted, so no request may use a connection that it has closed.
					connection: 'close',
				},
				body: body && JSON.stringify(body),
			});
			const text = await answer.text();
			return text.includes(DATABASE_BUSY) ? undefined : { answer, text };
		};
		const { answer, text } = await waitUntil(answered, `n8n to answer ${method} ${path}`);
		if (!answer.ok)
			throw new Error(`${method} ${path}: n8n answered ${answer.status}: ${text.slice(0, 500)}`);
		const [cookie] = answer.headers.getSetCookie();
		if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
		const { data }: { data: T } = JSON.parse(text);
		return data;
	}
}
