/* The workflows that are run in queue mode. */
import type { IDataObject, INode } from 'n8n-workflow';
import type { Rest, SavedWorkflow, WorkflowInput } from '../rest.mts';
import { actionNode, chain, makeNode, workflowOf } from '../workflows.mts';

/** The connector that is refreshed. */
export const CONNECTOR = 'cloudbooks';

const [START, STATUS, LOOP, COLLECT, SEND] = ['Start', 'Get Status', 'Loop', 'Collect', 'Send'];
/** The ends of the URLs that start a run, and that take one of its batches. */
const [RUN_PATH, BATCH_PATH] = ['refresh-all', 'refresh-batch'];

/** How to set up a run. */
export interface RunOptions {
	credential: string;
	/** n8n's own address. */
	url: string;
	/** Engagements in a batch, which any worker may take; by default, the run is one execution. */
	batchSize?: number;
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
		const { url, batchSize, errorWorkflow } = options;
		const workflows =
			batchSize === undefined
				? [wholeRun(options)]
				: [dividedRun(options, batchSize), batchWorkflow(options)];
		const published: SavedWorkflow[] = [];
		for (const workflow of workflows) {
			const settings = { ...workflow.settings, errorWorkflow };
			const saved = await rest.createWorkflow({ ...workflow, settings });
			await rest.activate(saved);
			published.push(saved);
		}
		return new RefreshRun(`${url}/webhook/${RUN_PATH}`, published);
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
	return actionNode('Get Steps', parameters, credential, { onError: 'continueRegularOutput' });
}

/** The engagements in the body that starts a batch. */
export function batchIn({ body }: IDataObject): number[] {
	return (body as { engagementId?: number[] } | undefined)?.engagementId ?? [];
}

/** One execution that refreshes everything. */
function wholeRun(options: RunOptions): WorkflowInput {
	return chain('Refresh all', [webhook(RUN_PATH), statusNode(options), refreshNode(options)]);
}

/** An execution that sends batches to a webhook, which makes an execution of each. */
function dividedRun(options: RunOptions, batchSize: number): WorkflowInput {
	const loop = makeNode(LOOP, 'n8n-nodes-base.splitInBatches', { batchSize }, { typeVersion: 3 });
	const collect = makeNode(COLLECT, 'n8n-nodes-base.aggregate', {
		fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'engagementId' }] },
	});
	const request = {
		method: 'POST',
		url: `${options.url}/webhook/${BATCH_PATH}`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
	};
	const send = makeNode(SEND, 'n8n-nodes-base.httpRequest', request, { typeVersion: 4.2 });
	return workflowOf(
		'Refresh all',
		[webhook(RUN_PATH), statusNode(options), loop, collect, send],
		[
			[START, STATUS],
			[STATUS, LOOP],
			[LOOP, COLLECT, 1],
			[COLLECT, SEND],
			[SEND, LOOP],
		],
	);
}

/** The workflow that takes a batch. */
function batchWorkflow(options: RunOptions): WorkflowInput {
	const split = makeNode('Split', 'n8n-nodes-base.splitOut', {
		fieldToSplitOut: 'body.engagementId',
		options: { destinationFieldName: 'engagementId' },
	});
	return chain('Refresh batch', [webhook(BATCH_PATH), split, refreshNode(options)]);
}

function statusNode({ credential }: RunOptions): INode {
	const parameters = {
		resource: 'engagement',
		operation: 'getStatus',
		dataStatuses: ['never'],
		returnAll: true,
	};
	return actionNode(STATUS, parameters, credential);
}

function refreshNode({ credential, parallelRequests }: RunOptions): INode {
	const parameters = {
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: '={{ $json.engagementId }}',
		connectorName: CONNECTOR,
		options: parallelRequests === undefined ? {} : { parallelRequests },
	};
	return actionNode('Refresh', parameters, credential, { onError: 'continueRegularOutput' });
}

/** A webhook that answers as soon as the execution is in the queue. */
function webhook(path: string): INode {
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived' };
	const more = { typeVersion: 2, webhookId: path };
	return makeNode(START, 'n8n-nodes-base.webhook', parameters, more);
}
