import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData, INodeParameters, Workflow } from 'n8n-workflow';

import type { CredentialStore } from './credentials.mts';
import type { PollerSetup, Saved } from './node-poller.mts';
import { asSaved, NodePoller } from './node-poller.mts';

/** A polling trigger whose state is kept as n8n keeps it. */
export interface Poller {
	/** One poll: the items, null for none; throws what the node throws. The first is the activation's. */
	poll(): Promise<INodeExecutionData[] | null>;
	/** n8n stops and starts: what was not saved is gone. */
	restart(): void;
	/** The workflow is switched off and on again: as a restart, and an activation poll comes next. */
	reactivate(): void;
	/** The workflow is published with other parameters: as a restart with these. */
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
	const runner = new NodePoller(setup);
	if (setup.mode === 'manual') return new ManualPoller(runner);
	return setup.durable === true ? new DurablePoller(runner) : new InMemoryPoller(runner);
}

/** What the kinds of polling have in common: a saved state and what a test may ask. */
abstract class SavingPoller implements Poller {
	protected activated = false;
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
 * One workflow object lives from activation to restart, and polls that overlap share its state.
 * Saved is after the activation poll and after each poll with items. A poll that throws keeps what
 * it changed in memory, unsaved.
 */
class InMemoryPoller extends SavingPoller {
	private registration: Promise<Workflow> | undefined;
	private live: Workflow | undefined;

	async poll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.activated;
		const registration = (this.registration ??= this.runner.workflow(this.savedState));
		const workflow = await registration;
		if (registration === this.registration) this.live = workflow;
		const items = await this.runner.poll(workflow, 'activate', IN_MEMORY_BUDGET_MS);
		// Superseded by a restart while it ran: n8n discards what such a poll brings.
		if (registration !== this.registration) return null;
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
 * Each poll sees a copy of the committed state in a workflow of its own. Items or null commit it, a
 * throw discards it; of an activation poll only items do, and what it noted with null is not kept.
 * Global static data is saved at activation and with items.
 */
class DurablePoller extends SavingPoller {
	async poll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.activated;
		const seen = this.savedState;
		const staged = asSaved(seen.node);
		const workflow = await this.runner.workflow(seen);
		const items = isActivation
			? await this.runner.poll(workflow, 'activate', IN_MEMORY_BUDGET_MS, staged)
			: await this.runner.poll(workflow, 'update', DURABLE_BUDGET_MS, staged);
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

	// The schedule is in the database too: polls go on without a new activation poll.
	restart(): void {}
}

// What a poll left as it found it is not written, so it does not undo an overlapping poll's.
function written(seen: IDataObject, now: IDataObject, saved: IDataObject): IDataObject {
	return isDeepStrictEqual(seen, asSaved(now)) ? saved : asSaved(now);
}

/** The editor's test button: the saved state, changed by nobody. */
class ManualPoller extends SavingPoller {
	async poll(): Promise<INodeExecutionData[] | null> {
		const workflow = await this.runner.workflow(this.savedState);
		return await this.runner.poll(workflow, 'manual', IN_MEMORY_BUDGET_MS);
	}

	restart(): void {}
}
