/** The state of a polling trigger, as n8n keeps it in each of its modes of polling. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

const IN_MEMORY_BUDGET_MS = 5 * 60_000;
const DURABLE_BUDGET_MS = 36_000;

export type Activation = ReturnType<IPollFunctions['getActivationMode']>;

/** All state in the workflow's database row. */
export interface Saved {
	node: IDataObject;
	global: IDataObject;
}

/** A polling trigger in a workflow that holds its state while it is loaded. */
export abstract class PolledState<Workflow> {
	isActivated = false;
	/** In memory mode, from activation to restart. */
	protected live: Workflow | undefined;
	protected saved: Saved;
	/** The saved state before the last durable poll. */
	private before: Saved;

	constructor(
		protected readonly isDurable: boolean,
		{ node = {}, global = {} }: Partial<Saved> = {},
		/** Why n8n has activated the workflow: a user has published it, or n8n has started. */
		private activation: 'activate' | 'init' = 'activate',
		/** What n8n's process remembers of a trigger belongs to this ID. */
		protected workflowId: string = randomUUID(),
	) {
		this.saved = asSaved({ node, global });
		this.before = this.saved;
	}

	/** The workflow as n8n loads it from its database. */
	protected abstract load(): Workflow;

	/** The live state of a workflow, as a plain copy. */
	protected abstract readState(workflow: Workflow): Saved;

	/** @param staged the state that the node sees instead of the workflow's own */
	protected abstract callNode(
		workflow: Workflow,
		activation: Activation,
		budgetMs: number,
		staged?: IDataObject,
	): Promise<INodeExecutionData[] | null>;

	/** One poll: its items, or null; throws what the node throws. The first poll is the activation's. */
	async poll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.isActivated;
		const items = this.isDurable
			? await this.pollDurably(isActivation)
			: await this.pollInMemory(isActivation);
		this.isActivated = true;
		return items;
	}

	/** n8n restarts: its process remembers nothing of the trigger, as if it had never seen the ID. */
	restart(): void {
		this.workflowId = randomUUID();
		this.reload();
	}

	/**
	 * The workflow is loaded anew: unsaved state is lost. Durable polls continue without a new activation
	 * poll, since their schedule is in the database too.
	 */
	protected reload(): void {
		this.live = undefined;
		if (!this.isDurable) this.isActivated = false;
		this.activation = 'init';
	}

	/** The workflow is switched off and on: it is loaded anew, and the next poll is an activation poll. */
	reactivate(): void {
		this.live = undefined;
		this.isActivated = false;
		this.activation = 'activate';
	}

	/** n8n rolls back what the last durable poll emitted, and its state, though not the workflow's own. */
	rollBack(): void {
		this.saved.node = this.before.node;
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
}

/** A copy as the database returns it: what JSON cannot hold does not survive. */
export function asSaved<T>(state: T): T {
	return JSON.parse(JSON.stringify(state)) as T;
}

// An unchanged state is not written, so that it does not undo an overlapping poll's.
function written(seen: IDataObject, now: IDataObject, saved: IDataObject): IDataObject {
	return isDeepStrictEqual(seen, asSaved(now)) ? saved : asSaved(now);
}
