import type { IDataObject, INodeParameters, IPollFunctions, Workflow } from 'n8n-workflow';

import { buildAdditionalData, prepare, buildWorkflow, type NodeSetup } from './base.mts';
import { CredentialStore } from './credentials.mts';
import { withExpressions } from './lines.mts';
import { core, n8n } from './n8n.mts';
import { assertNoSecrets, assertNoSecretsIn } from './secrets.mts';
import { ownTypes } from './types.mts';

/** A polling trigger, and the n8n in which it runs. */
export interface PollerSetup extends NodeSetup {
	/** `manual`: a test in the editor, which sees the saved state and saves nothing. */
	mode?: 'trigger' | 'manual';
	/** n8n's opt-in durable polling instead of the in-memory one. */
	durable?: boolean;
	/**
	 * Time budget of a poll in milliseconds; n8n's own by default; `null`: an n8n without budgets.
	 */
	budgetMs?: number | null;
	/** Why n8n activates the workflow: a user publishes it, by default, or n8n starts. */
	activation?: 'activate' | 'init';
	/** The node's saved state before the first poll. */
	staticData?: IDataObject;
	/** The workflow's saved state before the first poll. */
	globalStaticData?: IDataObject;
}

/** A copy as the database returns it: what JSON cannot hold does not survive. */
export function asSaved<T>(state: T): T {
	return JSON.parse(JSON.stringify(state)) as T;
}

type Activation = ReturnType<IPollFunctions['getActivationMode']>;

/** All state in the workflow's database row. */
export interface Saved {
	node: IDataObject;
	global: IDataObject;
}

/** Calls the node's `poll` in n8n's own context; saving state is up to the caller. */
export class NodePoller {
	readonly credentials: CredentialStore;
	readonly initial: Saved;
	private readonly nodeName: string;

	constructor(private setup: PollerSetup) {
		this.credentials = CredentialStore.of(setup.credentials);
		this.nodeName = setup.nodeName ?? 'Trigger';
		this.initial = {
			node: asSaved(setup.staticData ?? {}),
			global: asSaved(setup.globalStaticData ?? {}),
		};
	}

	get activation(): Activation {
		return this.setup.activation ?? 'activate';
	}

	change(parameters: INodeParameters): void {
		this.setup = { ...this.setup, parameters };
	}

	workflow(saved: Saved): Workflow {
		const { nodeName, credentials } = this;
		const usual = { node: 'engagementUploadsTrigger' };
		const { types, node } = prepare({ ...usual, ...this.setup, nodeName, credentials });
		return buildWorkflow(types, {
			id: this.setup.workflowId,
			nodes: [node],
			timezone: this.setup.timezone,
			staticData: asSaved({ global: saved.global, [`node:${this.nodeName}`]: saved.node }),
		});
	}

	/** The live state of a workflow, as a plain copy. */
	readState(workflow: Workflow): Saved {
		const node = workflow.getStaticData('node', this.nodeIn(workflow));
		return asSaved({ node, global: workflow.getStaticData('global') });
	}

	/** @param staged the state that the node sees instead of the workflow's own */
	async poll(workflow: Workflow, activation: Activation, budgetMs: number, staged?: IDataObject) {
		const types = this.setup.types ?? ownTypes();
		const node = this.nodeIn(workflow);
		const context: IPollFunctions = new core.PollContext(
			workflow,
			node,
			buildAdditionalData(types, this.credentials, { executionId: undefined }),
			this.setup.mode ?? 'trigger',
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			staged === undefined ? undefined : () => staged,
			() => this.setup.budgetMs ?? budgetMs,
		);
		if (this.setup.budgetMs === null) Reflect.deleteProperty(context, 'getPollBudgetMs');
		const { poll } = types.getByNameAndVersion(node.type, node.typeVersion);
		if (poll === undefined)
			throw new n8n.UnexpectedError(`"${node.type}" is not a polling trigger`);
		const output = await withExpressions(
			workflow.expression,
			async () => await poll.call(context),
		).catch(async (error: unknown) => {
			assertNoSecrets(error, this.credentials);
			return await Promise.reject(error);
		});
		const items = output?.[0] ?? [];
		assertNoSecretsIn([this.readState(workflow), staged ?? {}, ...items], this.credentials);
		return output && items;
	}

	private nodeIn(workflow: Workflow) {
		const node = workflow.getNode(this.nodeName);
		if (node === null) throw new n8n.UnexpectedError('The poller lost its node');
		return node;
	}
}
