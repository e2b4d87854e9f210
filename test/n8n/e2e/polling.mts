import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { SimulatedService } from '../../support/service/http.mts';
import type { Execution } from '../workflows/rest.mts';
import type { Sandbox } from '../process/sandbox.mts';
import { waitUntil } from '../process/waitFor.mts';
import { chain, makeNode, TRIGGER_NODE, withCredential } from '../workflows/nodes.mts';
import { listOutput } from './setup.mts';

/** The names of the trigger in the workflows here, the second of which `rename` gives it. */
const NAMES = ['Uploads', 'New Uploads'] as const;
/** The trigger's error output. */
const ERROR_OUTPUT = 1;

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

interface PublishOptions {
	credential: string;
	onError?: INode['onError'];
}

/** A published workflow that consists of the trigger, which polls every three seconds. */
export class PublishedTrigger {
	/** A line for each record that it must emit: the upload's ID, and both statuses if it has two. */
	readonly expected: string[] = [];
	/** By ID. */
	private readonly finished = new Map<string, Execution>();

	private constructor(
		private readonly sandbox: Sandbox,
		readonly id: string,
	) {}

	static async publish(
		sandbox: Sandbox,
		parameters: INodeParameters,
		{ credential, onError }: PublishOptions,
	): Promise<PublishedTrigger> {
		const [name] = NAMES;
		const trigger = makeNode(name, TRIGGER_NODE, { ...every(3), ...parameters }, { onError });
		const workflow = chain('Uploads', [withCredential(trigger, credential)]);
		const { id } = await sandbox.rest.createWorkflow(workflow);
		await sandbox.rest.activate({ id });
		return new PublishedTrigger(sandbox, id);
	}

	/** Gives the trigger another name; the workflow is to be published again. */
	async rename(): Promise<void> {
		const { rest } = this.sandbox;
		const [, name] = NAMES;
		const { nodes } = await rest.workflow(this.id);
		await rest.updateWorkflow(this.id, { nodes: nodes.map((node) => ({ ...node, name })) });
	}

	/** The workflow's finished executions. */
	async executions(): Promise<Execution[]> {
		const { rest } = this.sandbox;
		for (const id of await rest.listExecutions(this.id))
			if (!this.finished.has(id)) this.finished.set(id, await rest.execution(id));
		return [...this.finished.values()];
	}

	/** What has reached the error output. */
	async alerts(): Promise<IDataObject[]> {
		return await this.listOutputs(ERROR_OUTPUT);
	}

	/** What it has emitted, in lines like those of `expected`. */
	async emitted(): Promise<string[]> {
		return (await this.listOutputs(0)).map(({ uploadId, uploadStatus, previousStatus }) =>
			previousStatus === undefined
				? String(uploadId)
				: `${uploadId} ${previousStatus} ${uploadStatus}`,
		);
	}

	private async listOutputs(output: number): Promise<IDataObject[]> {
		const executions = await this.executions();
		return executions.flatMap((each) => NAMES.flatMap((name) => listOutput(each, name, output)));
	}
}

/** Waits until triggers have emitted what they must, and checks that they have emitted nothing else. */
export async function expectAllEmitted(triggers: readonly PublishedTrigger[]): Promise<void> {
	for (const trigger of triggers) {
		const areAllEmitted = async () => {
			const emitted = new Set(await trigger.emitted());
			return trigger.expected.every((line) => emitted.has(line));
		};
		// The comparison below shows what is missing.
		await waitUntil(areAllEmitted, { what: 'uploads', interval: 500 }).catch(() => undefined);
	}
	for (const trigger of triggers)
		expect((await trigger.emitted()).sort()).toEqual(trigger.expected.toSorted());
}

/** Waits until a service has responded to this many more requests for its upload list. */
export async function waitForPolls({ requests }: SimulatedService, count: number): Promise<void> {
	const answered = () =>
		requests.filter(({ path, doneAt }) => /\/uploads$/.test(path) && doneAt !== undefined).length;
	const wanted = answered() + count;
	await waitUntil(() => answered() >= wanted, { what: `${count} polls` });
}
