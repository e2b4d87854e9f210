import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { SimulatedService } from '../../support/service/http.mts';
import type { Execution, Rest, SavedWorkflow, WorkflowInput } from '../rest.mts';
import type { Sandbox } from '../sandbox.mts';
import { waitFor, waitUntil } from '../waitFor.mts';
import { chain, makeNode, TRIGGER_NODE, withCredential } from '../workflows.mts';

/** The name of the trigger in the workflows here, and the one that `rename` gives it. */
export const TRIGGER = 'Upload Completed';
const RENAMED = 'New Uploads';
const isTrigger = ({ name }: { name: string }) => name === TRIGGER || name === RENAMED;

/** ms, in the history */
const BETWEEN_UPLOADS = 10 * 60_000;
const UPLOAD_LIST = /\/uploads$/;

/**
 * The trigger's parameters for polling every few seconds: one rule of n8n's polls once a minute at
 * most.
 */
export function every(seconds: number): INodeParameters {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	}));
	return { pollTimes: { item } };
}

interface WorkflowOptions {
	/** The node that gets the uploads. */
	next?: INode;
	/** The ID of the workflow to start when this one fails. */
	errorWorkflow?: string;
}

/** A workflow that starts with the trigger. */
export function triggerWorkflow(
	parameters: INodeParameters,
	credentialId: string,
	{ next = makeNode('Nothing', 'n8n-nodes-base.noOp'), errorWorkflow }: WorkflowOptions = {},
): WorkflowInput {
	const trigger = makeNode(TRIGGER, TRIGGER_NODE, parameters);
	const workflow = chain('Uploads', [withCredential(trigger, credentialId), next]);
	return { ...workflow, settings: { ...workflow.settings, errorWorkflow } };
}

/** A published workflow with the trigger, and the uploads that it must emit. */
export class PublishedTrigger {
	/** The IDs of all uploads that must be emitted. */
	readonly expected: string[] = [];
	/** Finished executions no longer change, so each is read once. */
	private readonly finished = new Map<string, Execution>();

	private constructor(
		private readonly sandbox: Sandbox,
		private workflow: SavedWorkflow,
	) {}

	/** Creates a workflow and publishes it. */
	static async publish(sandbox: Sandbox, workflow: WorkflowInput): Promise<PublishedTrigger> {
		const saved = await sandbox.rest.createWorkflow(workflow);
		const trigger = new PublishedTrigger(sandbox, saved);
		await trigger.activate();
		return trigger;
	}

	get workflowId(): string {
		return this.workflow.id;
	}

	async activate(): Promise<void> {
		await this.rest.activate(this.workflow);
	}

	async deactivate(): Promise<void> {
		await this.rest.deactivate(this.workflow);
	}

	/** Publishes the workflow again with other parameters of the trigger. */
	async republish(parameters: INodeParameters): Promise<void> {
		const nodes = this.workflow.nodes.map((node) =>
			isTrigger(node) ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
		);
		this.workflow = await this.rest.updateWorkflow(this.workflowId, { nodes });
		await this.activate();
	}

	/** Gives the trigger another name, and publishes the workflow again. */
	async rename(): Promise<void> {
		const nodes = this.workflow.nodes.map((node) =>
			isTrigger(node) ? { ...node, name: RENAMED } : node,
		);
		const { [TRIGGER]: outputs = {} } = this.workflow.connections;
		const connections = { [RENAMED]: outputs };
		this.workflow = await this.rest.updateWorkflow(this.workflowId, { nodes, connections });
		await this.activate();
	}

	/** Completes an upload that the trigger must emit. */
	complete(): string {
		const { uploadId } = this.sandbox.service.model.addCompletedUpload({});
		this.expected.push(uploadId);
		return uploadId;
	}

	/** The workflow's finished executions, oldest first. */
	async executions(): Promise<Execution[]> {
		for (const id of await this.rest.executionsOf(this.workflowId)) {
			if (!this.finished.has(id)) this.finished.set(id, await this.rest.execution(id));
		}
		return [...this.finished.values()];
	}

	/** The workflow's first failed execution, once there is one. */
	async firstFailure(): Promise<Execution> {
		return await waitFor(async () => (await this.failures())[0], { what: 'a failed execution' });
	}

	async failures(): Promise<Execution[]> {
		return (await this.executions()).filter(({ status }) => status === 'error');
	}

	/**
	 * Completes one more upload, waits until everything expected was emitted, and checks that nothing
	 * else was. `isResting`: n8n may have stopped polling, so the workflow is published until it has.
	 * After an error that needs the user, durable polling rests for half an hour or until then, and a
	 * poll that fails only after that starts another such rest.
	 */
	async expectAllEmitted({ isResting = false } = {}): Promise<void> {
		this.complete();
		let missing: string[] = [];
		const areAllEmitted = async () => {
			const emitted = new Set(await this.emitted());
			missing = this.expected.filter((id) => !emitted.has(id));
			return missing.length === 0;
		};
		const what = 'executions with all completed uploads';
		const areAllEmittedAfterPublishing = async () => {
			await this.deactivate();
			await this.activate();
			return await waitUntil(areAllEmitted, { what, timeout: 60_000 }).then(
				() => true,
				() => false,
			);
		};
		await waitUntil(isResting ? areAllEmittedAfterPublishing : areAllEmitted, { what }).catch(
			(error: Error) => {
				throw new Error(
					`${error.message}; missing: ${missing.length}, such as ${missing.slice(0, 3).join(', ')}`,
				);
			},
		);
		expect((await this.emitted()).sort()).toEqual([...this.expected].sort());
	}

	async waitForPolls(count: number): Promise<void> {
		await waitForPolls(this.sandbox.service, count);
	}

	/** The records that the trigger has emitted, over all executions. */
	async records(): Promise<IDataObject[]> {
		return (await this.executions()).flatMap(recordsOfTrigger);
	}

	/** The IDs that the trigger has emitted, over all executions. */
	private async emitted(): Promise<string[]> {
		return (await this.executions()).flatMap(uploadIdsOf);
	}

	private get rest(): Rest {
		return this.sandbox.rest;
	}
}

/** Waits until a service has responded to this many more requests for its upload list. */
export async function waitForPolls({ requests }: SimulatedService, count: number): Promise<void> {
	const answered = () =>
		requests.filter(({ path, doneAt }) => UPLOAD_LIST.test(path) && doneAt !== undefined).length;
	const wanted = answered() + count;
	await waitUntil(() => answered() >= wanted, { what: `${count} polls` });
}

/** The trigger of the workflow that `publishErrorWorkflow` publishes. */
export const ERROR_TRIGGER = 'On Failure';

/** Publishes a workflow to use as another one's error workflow, and returns its ID. */
export async function publishErrorWorkflow({ rest }: Sandbox): Promise<string> {
	const trigger = makeNode(ERROR_TRIGGER, 'n8n-nodes-base.errorTrigger');
	const nodes = [trigger, makeNode('Nothing', 'n8n-nodes-base.noOp')];
	const saved = await rest.createWorkflow(chain('When something fails', nodes));
	await rest.activate(saved);
	return saved.id;
}

/** The IDs of the uploads that an execution was started with; none if the poll failed. */
export function uploadIdsOf(execution: Execution): string[] {
	return recordsOfTrigger(execution).map(({ uploadId }) => String(uploadId));
}

function recordsOfTrigger({ runData }: Execution): IDataObject[] {
	const [run] = runData[TRIGGER] ?? runData[RENAMED] ?? [];
	const items = run?.data?.main?.[0] ?? [];
	return items.map(({ json }) => json);
}

/** Adds two connectors and a history of uploads, and saves the credential. @returns its ID */
export async function addHistory(sandbox: Sandbox): Promise<string> {
	const { model } = sandbox.service;
	for (const name of ['north', 'south']) model.addConnector({ name });
	const now = Date.now();
	for (let count = 250; count > 0; count -= 1) {
		model.addCompletedUpload({ completedAt: now - count * BETWEEN_UPLOADS });
	}
	return await sandbox.credential();
}
