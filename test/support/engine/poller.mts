import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
	Workflow,
} from 'n8n-workflow';

import { asSaved, PolledState, type Activation, type Saved } from './polledState.mts';
import { buildAdditionalData, buildWorkflow, prepare, type NodeSetup } from './base.mts';
import { CredentialStore } from './credentials.mts';
import { needsPollBudgets, withExpressions } from './lines.mts';
import { core, n8n } from './n8n.mts';
import { assertNoSecrets, assertNoSecretsIn } from './secrets.mts';
import { ownTypes } from './types.mts';

const TEST_BUDGET_MS = 5 * 60_000;

/** A polling trigger, and the n8n in which it runs. */
export interface PollerSetup extends NodeSetup {
	/** `manual`: a test in the editor, which sees the saved state and saves nothing. */
	mode?: 'trigger' | 'manual';
	/** n8n's opt-in durable polling instead of the in-memory one. */
	durable?: boolean;
	/** Time budget of a poll in milliseconds; n8n's own by default. */
	budgetMs?: number;
	/** Why n8n activates the workflow: a user publishes it, by default, or n8n starts. */
	activation?: 'activate' | 'init';
	/** The node's saved state before the first poll. */
	staticData?: IDataObject;
	/** The workflow's saved state before the first poll. */
	globalStaticData?: IDataObject;
}

/** A polling trigger that runs in n8n's own context. */
export class Poller extends PolledState<Workflow> {
	readonly credential: CredentialStore;
	private readonly nodeName: string;

	constructor(private setup: PollerSetup) {
		const { durable = false, budgetMs, staticData, globalStaticData } = setup;
		const saved = { node: staticData, global: globalStaticData };
		super(durable, saved, setup.activation, setup.workflowId);
		if (durable || budgetMs !== undefined) needsPollBudgets();
		this.credential = CredentialStore.of(setup.credential);
		this.nodeName = setup.nodeName ?? 'Trigger';
	}

	/** A test in the editor sees the saved state, and changes nothing. */
	override async poll(): Promise<INodeExecutionData[] | null> {
		if (this.setup.mode !== 'manual') return await super.poll();
		return await this.callNode(this.load(), 'manual', TEST_BUDGET_MS);
	}

	/** The workflow is published with other parameters. */
	change(parameters: INodeParameters): void {
		this.setup = { ...this.setup, parameters };
		this.reload();
	}

	protected load(): Workflow {
		const { nodeName, credential } = this;
		const usual = { node: 'engagementUploadsTrigger' };
		const { types, node } = prepare({ ...usual, ...this.setup, nodeName, credential });
		return buildWorkflow(types, {
			id: this.workflowId,
			nodes: [node],
			timezone: this.setup.timezone,
			staticData: asSaved({ global: this.saved.global, [`node:${nodeName}`]: this.saved.node }),
		});
	}

	protected readState(workflow: Workflow): Saved {
		const node = workflow.getStaticData('node', this.nodeIn(workflow));
		return asSaved({ node, global: workflow.getStaticData('global') });
	}

	protected async callNode(
		workflow: Workflow,
		activation: Activation,
		budgetMs: number,
		staged?: IDataObject,
	): Promise<INodeExecutionData[] | null> {
		const types = this.setup.types ?? ownTypes();
		const node = this.nodeIn(workflow);
		const context: IPollFunctions = new core.PollContext(
			workflow,
			node,
			buildAdditionalData(types, this.credential, { executionId: undefined }),
			this.setup.mode ?? 'trigger',
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			staged === undefined ? undefined : () => staged,
			() => this.setup.budgetMs ?? budgetMs,
		);
		const { poll } = types.getByNameAndVersion(node.type, node.typeVersion);
		if (poll === undefined)
			throw new n8n.UnexpectedError(`"${node.type}" is not a polling trigger`);
		const output = await withExpressions(
			workflow.expression,
			async () => await poll.call(context),
		).catch(async (error: unknown) => {
			assertNoSecrets(error, this.credential);
			return await Promise.reject(error);
		});
		const items = output?.[0] ?? [];
		assertNoSecretsIn([this.readState(workflow), staged ?? {}, ...items], this.credential);
		return output && items;
	}

	private nodeIn(workflow: Workflow) {
		const node = workflow.getNode(this.nodeName);
		if (node === null) throw new n8n.UnexpectedError('The poller lost its node');
		return node;
	}
}
