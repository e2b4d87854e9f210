/* The workflows that are run in queue mode. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Rest, SavedWorkflow, WorkflowInput } from '../rest.mts';
import { actionNode, chain, makeNode, workflowOf } from '../workflows.mts';

/** The connector that is refreshed. */
export const CONNECTOR = 'cloudbooks';
/** The node that does the work of a workflow. */
export const REFRESH = 'Refresh';
export const STEPS = 'Get Steps';

const [START, STATUS, LOOP, COLLECT, SEND] = ['Start', 'Get Status', 'Loop', 'Collect', 'Send'];
/** The ends of the URLs that start a run, and that take one of its batches. */
const [RUN_PATH, BATCH_PATH] = ['refresh-all', 'refresh-batch'];

/**
 * How a run is divided: not at all; into batches that follow each other; into sub-workflows that the
 * run does not wait for; or into executions of their own, which any worker may take.
 */
export type Division = 'none' | 'loop' | 'subWorkflows' | 'executions';

/** How to set up a run. */
export interface RunOptions {
	credential: string;
	/** n8n's own address. */
	url: string;
	division: Division;
	/** Engagements in a batch. */
	batchSize: number;
	/** The option Parallel Requests of the refresh. */
	parallelRequests?: number;
	errorWorkflow?: string;
}

/** A published run; starts over and over. */
export class RefreshRun {
	private constructor(
		private readonly address: string,
		private readonly published: SavedWorkflow[],
	) {}

	/**
	 * Publishes the workflows that refresh the data of all engagements without any: started again, they
	 * refresh only those that are left.
	 */
	static async publish(rest: Rest, options: RunOptions): Promise<RefreshRun> {
		const published: SavedWorkflow[] = [];
		const publish = async (workflow: WorkflowInput) => {
			const { errorWorkflow } = options;
			const settings = { ...workflow.settings, errorWorkflow };
			const saved = await rest.createWorkflow({ ...workflow, settings });
			published.unshift(saved);
			await rest.activate(saved);
			return saved.id;
		};
		const batches = batchWorkflow(options);
		const batchId = batches && (await publish(batches));
		await publish(runWorkflow(options, batchId));
		return new RefreshRun(`${options.url}/webhook/${RUN_PATH}`, published);
	}

	/** The IDs of its workflows: the one that is started, and the one of the batches. */
	get workflowIds(): string[] {
		return this.published.map(({ id }) => id);
	}

	/** Starts a run, and returns once it is in the queue. */
	async start(): Promise<void> {
		const answer = await fetch(this.address, { method: 'POST' });
		if (!answer.ok) throw new Error(`The webhook answered ${answer.status}`);
	}

	async withdraw(rest: Rest): Promise<void> {
		for (const workflow of this.published) await rest.deactivate(workflow);
	}
}

/** Gets the steps of each upload that it is given. */
export function stepsNode(credential: string): INode {
	const parameters = {
		resource: 'upload',
		operation: 'getWorkflow',
		engagementId: '={{ $json.engagementId }}',
		uploadId: '={{ $json.uploadId }}',
	};
	return actionNode(STEPS, parameters, credential, { onError: 'continueRegularOutput' });
}

/** The engagements in the body that starts a batch. */
export function batchIn({ body }: IDataObject): number[] {
	return (body as { engagementId?: number[] } | undefined)?.engagementId ?? [];
}

function runWorkflow(options: RunOptions, batchId = ''): WorkflowInput {
	const status = {
		resource: 'engagement',
		operation: 'getStatus',
		dataStatuses: ['never'],
		returnAll: true,
	};
	const first = [webhook(RUN_PATH), actionNode(STATUS, status, options.credential)];
	const steps = stepsOf(options, batchId);
	if (options.division === 'none') return chain('Refresh all', [...first, ...steps]);
	const loop = makeNode(
		LOOP,
		'n8n-nodes-base.splitInBatches',
		{ batchSize: options.batchSize },
		{ typeVersion: 3 },
	);
	const names = [...steps.map(({ name }) => name), LOOP];
	const links = names.slice(1).map((name, index) => [names[index] ?? '', name] as const);
	return workflowOf(
		'Refresh all',
		[...first, loop, ...steps],
		[[START, STATUS], [STATUS, LOOP], [LOOP, names[0] ?? '', 1], ...links],
	);
}

/** What is done with the engagements, or with a batch of them. */
function stepsOf({ division, url, ...options }: RunOptions, batchId: string): INode[] {
	if (division === 'subWorkflows') {
		const parameters = {
			workflowId: { __rl: true, mode: 'id', value: batchId },
			options: { waitForSubWorkflow: false },
		};
		const more = { typeVersion: 1.3 };
		return [makeNode(SEND, 'n8n-nodes-base.executeWorkflow', parameters, more)];
	}
	if (division === 'executions') {
		const field = { fieldToAggregate: 'engagementId' };
		const fields = { fieldsToAggregate: { fieldToAggregate: [field] } };
		const parameters = {
			method: 'POST',
			url: `${url}/webhook/${BATCH_PATH}`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($json) }}',
		};
		return [
			makeNode(COLLECT, 'n8n-nodes-base.aggregate', fields),
			makeNode(SEND, 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2 }),
		];
	}
	return [refreshNode(options)];
}

/** The workflow that takes a batch, if the run has one. */
function batchWorkflow({ division, ...options }: RunOptions): WorkflowInput | undefined {
	if (division === 'subWorkflows') {
		const parameters = { inputSource: 'passthrough' };
		const more = { typeVersion: 1.1 };
		const start = makeNode(START, 'n8n-nodes-base.executeWorkflowTrigger', parameters, more);
		return chain('Refresh batch', [start, refreshNode(options)]);
	}
	if (division !== 'executions') return undefined;
	const parameters = {
		fieldToSplitOut: 'body.engagementId',
		options: { destinationFieldName: 'engagementId' },
	};
	const split = makeNode('Split', 'n8n-nodes-base.splitOut', parameters);
	return chain('Refresh batch', [webhook(BATCH_PATH), split, refreshNode(options)]);
}

function refreshNode({
	credential,
	parallelRequests,
}: Pick<RunOptions, 'credential' | 'parallelRequests'>): INode {
	const parameters: INodeParameters = {
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: '={{ $json.engagementId }}',
		connectorName: CONNECTOR,
		options: parallelRequests === undefined ? {} : { parallelRequests },
	};
	return actionNode(REFRESH, parameters, credential, { onError: 'continueRegularOutput' });
}

/** A webhook that answers as soon as the execution is in the queue. */
function webhook(path: string): INode {
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived' };
	const more = { typeVersion: 2, webhookId: path };
	return makeNode(START, 'n8n-nodes-base.webhook', parameters, more);
}
