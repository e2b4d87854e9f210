import { isDeepStrictEqual } from 'node:util';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
	Workflow,
} from 'n8n-workflow';

import { buildAdditionalData, buildWorkflow, prepare, type NodeSetup } from './base.mts';
import { CredentialStore } from './credentials.mts';
import { needsPollBudgets, withExpressions } from './lines.mts';
import { core, n8n } from './n8n.mts';
import { assertNoSecrets, assertNoSecretsIn } from './secrets.mts';
import { ownTypes } from './types.mts';

const IN_MEMORY_BUDGET_MS = 5 * 60_000;
const DURABLE_BUDGET_MS = 36_000;

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
	/** Another trigger of the same workflow, whose data it shares in memory mode. */
	beside?: Poller;
}

type Activation = ReturnType<IPollFunctions['getActivationMode']>;

/** All state in the workflow's database row. */
interface Saved {
	node: IDataObject;
	global: IDataObject;
}

/** A polling trigger that runs in n8n's own context, and whose state is kept as in n8n. */
export class Poller {
	readonly credentials: CredentialStore;
	private readonly nodeName: string;
	private activated = false;
	private saved: Saved;
	/** The saved state before the last durable poll. */
	private before: Saved;
	/** In memory mode, from activation to restart. */
	private live: Workflow | undefined;

	constructor(private setup: PollerSetup) {
		const { durable = false, budgetMs = null, staticData = {}, globalStaticData = {} } = setup;
		if (durable || budgetMs !== null) needsPollBudgets();
		this.credentials = CredentialStore.of(setup.credentials);
		this.nodeName = setup.nodeName ?? 'Trigger';
		this.saved = asSaved({ node: staticData, global: globalStaticData });
		this.before = this.saved;
	}

	/**
	 * One poll: its items, or null; throws what the node throws. The first poll is the activation's. A
	 * test in the editor sees the saved state, and changes nothing.
	 */
	async poll(): Promise<INodeExecutionData[] | null> {
		if (this.setup.mode === 'manual')
			return await this.callNode(this.load(), 'manual', IN_MEMORY_BUDGET_MS);
		const isActivation = !this.activated;
		const items = this.setup.durable
			? await this.pollDurably(isActivation)
			: await this.pollInMemory(isActivation);
		this.activated = true;
		return items;
	}

	/**
	 * n8n restarts: unsaved state is lost. Durable polls continue without a new activation poll, since
	 * their schedule is in the database too.
	 */
	restart(): void {
		this.live = undefined;
		if (!this.setup.durable) this.activated = false;
	}

	/** The workflow is switched off and on: like a restart, and the next poll is an activation poll. */
	reactivate(): void {
		this.restart();
		this.activated = false;
	}

	/** n8n rolls back what the last durable poll emitted, and its state, though not the workflow's own. */
	rollBack(): void {
		this.saved.node = this.before.node;
	}

	/** n8n has not saved yet what the last durable poll emitted. */
	delaySaving(): void {
		this.saved = this.before;
	}

	/** The workflow is published with other parameters: like a restart with these. */
	change(parameters: INodeParameters): void {
		this.setup = { ...this.setup, parameters };
		this.restart();
	}

	/** The node's static data as the next poll would find it, a copy. */
	get state(): IDataObject {
		return asSaved(this.current.node);
	}

	/** The workflow's global static data as the next poll would find it, a copy. */
	get globalState(): IDataObject {
		return asSaved(this.current.global);
	}

	private get current(): Saved {
		return this.live === undefined ? this.saved : this.readState(this.live);
	}

	/**
	 * One workflow object lives from activation to restart, and overlapping polls share its state.
	 * State is saved after the activation poll and after each poll with items. What a failed poll
	 * changed stays in memory, unsaved.
	 */
	private async pollInMemory(isActivation: boolean): Promise<INodeExecutionData[] | null> {
		const workflow = (this.live ??= this.load());
		const items = await this.callNode(workflow, this.activation, IN_MEMORY_BUDGET_MS);
		if (isActivation || items !== null) this.saved = this.readState(workflow);
		return items;
	}

	/**
	 * Each poll sees a copy of the committed state in its own workflow object. Items or null commit it,
	 * an error discards it; an activation poll commits only with items. Global static data is saved at
	 * activation and with items.
	 */
	private async pollDurably(isActivation: boolean): Promise<INodeExecutionData[] | null> {
		const seen = this.saved;
		const staged = asSaved(seen.node);
		const workflow = this.load();
		const items = isActivation
			? await this.callNode(workflow, this.activation, IN_MEMORY_BUDGET_MS, staged)
			: await this.callNode(workflow, 'update', DURABLE_BUDGET_MS, staged);
		const { node, global } = this.saved;
		const state = this.readState(workflow);
		this.before = this.saved;
		this.saved = {
			node: items !== null || !isActivation ? written(seen.node, staged, node) : node,
			global: items !== null || isActivation ? written(seen.global, state.global, global) : global,
		};
		return items;
	}

	private get activation(): Activation {
		return this.setup.activation ?? 'activate';
	}

	/** The workflow as n8n loads it from its database. */
	private load(): Workflow {
		const { nodeName, credentials } = this;
		const usual = { node: 'engagementUploadsTrigger' };
		const { types, node } = prepare({ ...usual, ...this.setup, nodeName, credentials });
		const workflow = buildWorkflow(types, {
			id: this.setup.workflowId,
			nodes: [node],
			timezone: this.setup.timezone,
			staticData: asSaved({ global: this.saved.global, [`node:${nodeName}`]: this.saved.node }),
		});
		const shared = this.setup.beside?.live?.staticData;
		return shared === undefined ? workflow : Object.assign(workflow, { staticData: shared });
	}

	/** The live state of a workflow, as a plain copy. */
	private readState(workflow: Workflow): Saved {
		const node = workflow.getStaticData('node', this.nodeIn(workflow));
		return asSaved({ node, global: workflow.getStaticData('global') });
	}

	/** @param staged the state that the node sees instead of the workflow's own */
	private async callNode(
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

/** A copy as the database returns it: what JSON cannot hold does not survive. */
function asSaved<T>(state: T): T {
	return JSON.parse(JSON.stringify(state)) as T;
}

// An unchanged state is not written, so that it does not undo an overlapping poll's.
function written(seen: IDataObject, now: IDataObject, saved: IDataObject): IDataObject {
	return isDeepStrictEqual(seen, asSaved(now)) ? saved : asSaved(now);
}
