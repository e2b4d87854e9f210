import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData, INodeParameters, Workflow } from 'n8n-workflow';

import type { CredentialStore } from './credentials.mts';
import { needsPollBudgets } from './lines.mts';
import type { PollerSetup, Saved } from './node-poller.mts';
import { asSaved, NodePoller } from './node-poller.mts';

/** A polling trigger whose state is kept as in n8n. */
export interface Poller {
	/**
	 * One poll: its items, or null; throws what the node throws. The first poll is the
	 * activation's.
	 */
	poll(): Promise<INodeExecutionData[] | null>;
	/** n8n restarts: unsaved state is lost. */
	restart(): void;
	/**
	 * The workflow is switched off and on: like a restart, and the next poll is an activation poll.
	 */
	reactivate(): void;
	/** n8n rolls back what the last durable poll emitted, and its state, though not the workflow's own. */
	rollBack(): void;
	/** The workflow is published with other parameters: like a restart with these. */
	change(parameters: INodeParameters): void;
	/** The node's static data as the next poll would find it, a copy. */
	readonly state: IDataObject;
	/** The workflow's global static data as the next poll would find it, a copy. */
	readonly globalState: IDataObject;
	/** The node's static data that survives a restart, a copy. */
	readonly saved: IDataObject;
	readonly credentials: CredentialStore;
}

const IN_MEMORY_BUDGET_MS = 5 * 60_000;
const DURABLE_BUDGET_MS = 36_000;

/** A poller that has not been activated yet. */
export function createPoller(setup: PollerSetup): Poller {
	const { durable = false, budgetMs = null } = setup;
	if (durable || budgetMs !== null) needsPollBudgets();
	const runner = new NodePoller(setup);
	if (setup.mode === 'manual') return new ManualPoller(runner);
	return durable ? new DurablePoller(runner) : new InMemoryPoller(runner);
}

/** The base of both kinds of polling: a saved state, and access to it for tests. */
abstract class SavingPoller implements Poller {
	protected activated = false;
	/** The node's data before the last poll. */
	protected before: IDataObject = {};
	protected savedState: Saved;

	constructor(protected readonly runner: NodePoller) {
		this.savedState = runner.initial;
	}

	abstract poll(): Promise<INodeExecutionData[] | null>;
	abstract restart(): void;

	reactivate(): void {
		this.restart();
		this.activated = false;
	}

	rollBack(): void {
		this.savedState.node = this.before;
	}

	change(parameters: INodeParameters): void {
		this.runner.change(parameters);
		this.restart();
	}

	protected get current(): Saved {
		return this.savedState;
	}

	get state(): IDataObject {
		return asSaved(this.current.node);
	}

	get globalState(): IDataObject {
		return asSaved(this.current.global);
	}

	get saved(): IDataObject {
		return asSaved(this.savedState.node);
	}

	get credentials(): CredentialStore {
		return this.runner.credentials;
	}
}

/**
 * One workflow object lives from activation to restart, and overlapping polls share its state.
 * State is saved after the activation poll and after each poll with items. What a failed poll
 * changed stays in memory, unsaved.
 */
class InMemoryPoller extends SavingPoller {
	private registration: Promise<Workflow> | undefined;
	private live: Workflow | undefined;

	async poll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.activated;
		const registration = (this.registration ??= this.runner.workflow(this.savedState));
		const workflow = await registration;
		if (registration === this.registration) this.live = workflow;
		const items = await this.runner.poll(workflow, this.runner.activation, IN_MEMORY_BUDGET_MS);
		if (isActivation || items !== null) this.savedState = this.runner.stateOf(workflow);
		this.activated = true;
		return items;
	}

	protected override get current(): Saved {
		return this.live === undefined ? this.savedState : this.runner.stateOf(this.live);
	}

	restart(): void {
		this.registration = undefined;
		this.live = undefined;
		this.activated = false;
	}
}

/**
 * Each poll sees a copy of the committed state in its own workflow object. Items or null commit it,
 * an error discards it; an activation poll commits only with items. Global static data is saved at
 * activation and with items.
 */
class DurablePoller extends SavingPoller {
	async poll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.activated;
		const seen = this.savedState;
		const staged = asSaved(seen.node);
		const workflow = await this.runner.workflow(seen);
		const items = isActivation
			? await this.runner.poll(workflow, this.runner.activation, IN_MEMORY_BUDGET_MS, staged)
			: await this.runner.poll(workflow, 'update', DURABLE_BUDGET_MS, staged);
		this.before = this.savedState.node;
		const isNodeKept = items !== null || !isActivation;
		const isGlobalKept = items !== null || isActivation;
		const { global } = this.runner.stateOf(workflow);
		this.savedState = {
			node: isNodeKept ? written(seen.node, staged, this.savedState.node) : this.savedState.node,
			global: isGlobalKept
				? written(seen.global, global, this.savedState.global)
				: this.savedState.global,
		};
		this.activated = true;
		return items;
	}

	// The schedule is in the database too: polls continue without a new activation poll.
	restart(): void {}
}

// An unchanged state is not written, so that it does not undo an overlapping poll's.
function written(seen: IDataObject, now: IDataObject, saved: IDataObject): IDataObject {
	return isDeepStrictEqual(seen, asSaved(now)) ? saved : asSaved(now);
}

/** The editor's test button: sees the saved state, changes nothing. */
class ManualPoller extends SavingPoller {
	async poll(): Promise<INodeExecutionData[] | null> {
		const workflow = await this.runner.workflow(this.savedState);
		return await this.runner.poll(workflow, 'manual', IN_MEMORY_BUDGET_MS);
	}

	restart(): void {}
}
