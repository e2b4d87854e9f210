import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { SimulatedService } from '../../support/service/http.mts';
import type { Execution } from '../workflows/rest.mts';
import type { Sandbox } from '../process/sandbox.mts';
import { waitUntil } from '../process/waitFor.mts';
import { chain, makeNode, TRIGGER_NODE, withCredential } from '../workflows/nodes.mts';
import { listOutput } from './setup.mts';

/** The name of the trigger in the workflows here. */
const NAME = 'Uploads';
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
		credential: string,
		onError?: INode['onError'],
	): Promise<PublishedTrigger> {
		const trigger = makeNode(NAME, TRIGGER_NODE, { ...every(3), ...parameters }, { onError });
		const workflow = chain('Uploads', [withCredential(trigger, credential)]);
		const { id } = await sandbox.rest.createWorkflow(workflow);
		await sandbox.rest.activate({ id });
		return new PublishedTrigger(sandbox, id);
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
		return (await this.executions()).flatMap((each) => listOutput(each, NAME, output));
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
		await waitUntil(areAllEmitted, 'uploads').catch(() => undefined);
	}
	for (const trigger of triggers)
		expect((await trigger.emitted()).sort()).toEqual(trigger.expected.toSorted());
}

/** Waits until a service has responded to this many more requests for its upload list. */
export async function waitForPolls({ requests }: SimulatedService, count: number): Promise<void> {
	const answered = () =>
		requests.filter(({ path, doneAt }) => /\/uploads$/.test(path) && doneAt !== undefined).length;
	const wanted = answered() + count;
	await waitUntil(() => answered() >= wanted, `${count} polls`);
}
