import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData, INodeParameters, Workflow } from 'n8n-workflow';

import type { CredentialStore } from './credentials.mts';
import { needsPollBudgets } from './lines.mts';
import { asSaved, NodePoller, type PollerSetup, type Saved } from './node-poller.mts';

const IN_MEMORY_BUDGET_MS = 5 * 60_000;
const DURABLE_BUDGET_MS = 36_000;

/** A polling trigger whose state is kept as in n8n. */
export class Poller {
	private readonly runner: NodePoller;
	private activated = false;
	private saved: Saved;
	/** The node's data before the last durable poll. */
	private before: IDataObject = {};
	/** In memory mode, from activation to restart. */
	private live: Workflow | undefined;

	constructor(private readonly setup: PollerSetup) {
		const { durable = false, budgetMs = null } = setup;
		if (durable || budgetMs !== null) needsPollBudgets();
		this.runner = new NodePoller(setup);
		this.saved = this.runner.initial;
	}

	/**
	 * One poll: its items, or null; throws what the node throws. The first poll is the activation's. A
	 * test in the editor sees the saved state, and changes nothing.
	 */
	async poll(): Promise<INodeExecutionData[] | null> {
		if (this.setup.mode === 'manual') {
			const workflow = this.runner.workflow(this.saved);
			return await this.runner.poll(workflow, 'manual', IN_MEMORY_BUDGET_MS);
		}
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
		this.saved.node = this.before;
	}

	/** The workflow is published with other parameters: like a restart with these. */
	change(parameters: INodeParameters): void {
		this.runner.change(parameters);
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

	get credentials(): CredentialStore {
		return this.runner.credentials;
	}

	private get current(): Saved {
		return this.live === undefined ? this.saved : this.runner.readState(this.live);
	}

	/**
	 * One workflow object lives from activation to restart, and overlapping polls share its state.
	 * State is saved after the activation poll and after each poll with items. What a failed poll
	 * changed stays in memory, unsaved.
	 */
	private async pollInMemory(isActivation: boolean): Promise<INodeExecutionData[] | null> {
		const workflow = (this.live ??= this.runner.workflow(this.saved));
		const items = await this.runner.poll(workflow, this.runner.activation, IN_MEMORY_BUDGET_MS);
		if (isActivation || items !== null) this.saved = this.runner.readState(workflow);
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
		const workflow = this.runner.workflow(seen);
		const items = isActivation
			? await this.runner.poll(workflow, this.runner.activation, IN_MEMORY_BUDGET_MS, staged)
			: await this.runner.poll(workflow, 'update', DURABLE_BUDGET_MS, staged);
		const { node, global } = this.saved;
		const state = this.runner.readState(workflow);
		this.before = node;
		this.saved = {
			node: items !== null || !isActivation ? written(seen.node, staged, node) : node,
			global: items !== null || isActivation ? written(seen.global, state.global, global) : global,
		};
		return items;
	}
}

// An unchanged state is not written, so that it does not undo an overlapping poll's.
function written(seen: IDataObject, now: IDataObject, saved: IDataObject): IDataObject {
	return isDeepStrictEqual(seen, asSaved(now)) ? saved : asSaved(now);
}
