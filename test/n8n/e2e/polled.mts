import type { INode, INodeParameters } from 'n8n-workflow';
import type { Execution, Rest, SavedWorkflow, WorkflowInput } from '../rest.mts';
import { credentialFor, type Stage } from '../stage.mts';
import { until } from '../until.mts';
import { chain, makeNode, TRIGGER_NODE, withCredential } from '../workflows.mts';

/** The name of the trigger in the workflows here. */
export const TRIGGER = 'Upload Completed';

/** Generous, since the machine that tests run on is shared. */
const PATIENCE = 90_000;
/** ms, in the history */
const BETWEEN_UPLOADS = 10 * 60_000;
const UPLOAD_LIST = /\/uploads$/;

/** The trigger's parameters for a poll every so many seconds: n8n lets one rule poll once a minute. */
export function every(seconds: number): INodeParameters {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	}));
	return { pollTimes: { item } };
}

interface More {
	/** What the trigger feeds; it cannot be nothing. */
	next?: INode;
	/** The id of the workflow to start when it fails. */
	errorWorkflow?: string;
}

/** A workflow that starts with the trigger. */
export function polledWorkflow(
	parameters: INodeParameters,
	credentialId: string,
	{ next = makeNode('Nothing', 'n8n-nodes-base.noOp'), errorWorkflow }: More = {},
): WorkflowInput {
	const trigger = makeNode(TRIGGER, TRIGGER_NODE, parameters);
	const workflow = chain('Uploads', [withCredential(trigger, credentialId), next]);
	return { ...workflow, settings: { ...workflow.settings, errorWorkflow } };
}

/** A published workflow, with the uploads that it should have been given so far. */
export class Polled {
	/** The ids of all uploads that have to be emitted. */
	readonly expected: string[] = [];
	/** Executions that are over do not change any more. */
	private readonly seen = new Map<string, Execution>();

	private constructor(
		private readonly stage: Stage,
		private workflow: SavedWorkflow,
	) {}

	/** Saves a workflow and publishes it. */
	static async publish(stage: Stage, workflow: WorkflowInput): Promise<Polled> {
		const polled = new Polled(stage, await stage.rest.createWorkflow(workflow));
		await polled.switchOn();
		return polled;
	}

	get id(): string {
		return this.workflow.id;
	}

	async switchOn(): Promise<void> {
		await this.rest.activate(this.workflow, PATIENCE);
	}

	async switchOff(): Promise<void> {
		await this.rest.deactivate(this.workflow);
	}

	/** Publishes the workflow with other parameters of the trigger. */
	async republish(parameters: INodeParameters): Promise<void> {
		const nodes = this.workflow.nodes.map((node) =>
			node.name === TRIGGER ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
		);
		this.workflow = await this.rest.updateWorkflow(this.id, { nodes });
		await this.switchOn();
	}

	/** An upload completes that has to be emitted. */
	complete(connectorName?: string): string {
		const { uploadId } = this.stage.service.model.addCompletedUpload({ connectorName });
		this.expected.push(uploadId);
		return uploadId;
	}

	/** An upload completes that must not be emitted. */
	completeAside(connectorName?: string): void {
		this.stage.service.model.addCompletedUpload({ connectorName });
	}

	/** The workflow's executions that are over, oldest first. */
	async executions(): Promise<Execution[]> {
		for (const id of await this.rest.executionsOf(this.id)) {
			if (!this.seen.has(id)) this.seen.set(id, await this.rest.execution(id));
		}
		return [...this.seen.values()];
	}

	/** Comes back when one more upload has come through, and with it all that has to. */
	async settle(connectorName?: string): Promise<void> {
		const last = this.complete(connectorName);
		await until(async () => (await this.emitted()).includes(last) || undefined, {
			what: `execution with the upload ${last}`,
			timeout: PATIENCE,
		});
		expect((await this.emitted()).sort()).toEqual([...this.expected].sort());
	}

	/** Comes back when the service has answered so many more requests for the list of uploads. */
	async polls(count: number): Promise<void> {
		const answered = () =>
			this.stage.service.requests.filter(
				({ path, doneAt }) => UPLOAD_LIST.test(path) && doneAt !== undefined,
			).length;
		const wanted = answered() + count;
		await until(() => answered() >= wanted || undefined, {
			what: `${count} polls`,
			timeout: PATIENCE,
		});
	}

	/** The ids that the trigger has emitted, in every execution. */
	private async emitted(): Promise<string[]> {
		return (await this.executions()).flatMap(uploadIdsOf);
	}

	private get rest(): Rest {
		return this.stage.rest;
	}
}

/** The trigger of the workflow that `publishErrorWorkflow` publishes. */
export const ERROR_TRIGGER = 'On Failure';

/** Publishes a workflow to name as another one's error workflow. @returns its id */
export async function publishErrorWorkflow({ rest }: Stage): Promise<string> {
	const trigger = makeNode(ERROR_TRIGGER, 'n8n-nodes-base.errorTrigger');
	const nodes = [trigger, makeNode('Nothing', 'n8n-nodes-base.noOp')];
	const saved = await rest.createWorkflow(chain('When something fails', nodes));
	await rest.activate(saved);
	return saved.id;
}

/** The ids of the uploads that the trigger started an execution with; none where it failed. */
export function uploadIdsOf({ runData }: Execution): string[] {
	const items = runData[TRIGGER]?.[0]?.data?.main?.[0] ?? [];
	return items.map(({ json }) => String(json.uploadId));
}

/** Puts in what there is before anything is published: two connectors and a history. @returns the credential's id */
export async function furnish({ service, rest }: Stage): Promise<string> {
	const { model } = service;
	for (const name of ['north', 'south']) model.addConnector({ name });
	const now = Date.now();
	for (let count = 250; count > 0; count -= 1) {
		model.addCompletedUpload({ completedAt: now - count * BETWEEN_UPLOADS });
	}
	return await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
}
