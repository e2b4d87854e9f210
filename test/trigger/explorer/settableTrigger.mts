/**
 * The trigger between two polls as plain data, and what a poll makes of it: the real code polls a
 * simulated service in-process. Everything that n8n and the process keep is set up before a poll
 * and read afterwards, so that any state can be visited at any time.
 */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { parseState } from '../../../nodes/EngagementUploads/trigger/state.ts';
import { SeededRandom } from '../../support/service/random.mts';
import { LightTrigger, type StaticData } from '../histories/lightTrigger.mts';
import { CursorStore, forgetProcess, setClocks } from '../histories/product.mts';

/** A `Kept` as JSON. */
export type NodeState = string;

/** What n8n and the process keep of a trigger. */
export interface Kept {
	/** In the database. */
	saved: StaticData;
	/** In the memory of a registration. */
	live?: StaticData | undefined;
	/** The first poll of this registration has succeeded. */
	isActivated: boolean;
	/** The state after the last poll of this process, and when that was (epoch milliseconds). */
	last?: { state: IDataObject; at: number } | undefined;
}

export const UNPUBLISHED: NodeState = JSON.stringify({
	saved: { node: {}, global: {} },
	isActivated: false,
});

/** A trigger whose state can be set and read. */
export class SettableTrigger extends LightTrigger {
	private last: Kept['last'];
	/** Belongs to a registration that has polled before. */
	private readonly usedData: IDataObject = {};
	private isUsed = false;

	/** Continues from a state. */
	async set(state: NodeState): Promise<void> {
		forgetProcess();
		const { saved, live, isActivated, last } = JSON.parse(state) as Kept;
		this.saved = saved;
		this.live = live;
		this.isActivated = isActivated;
		this.random = new SeededRandom(7);
		this.last = last;
		if (last === undefined) return;
		if (!this.isUsed) await this.remember(last.state);
		this.isUsed = true;
		forgetProcess();
		await this.remember(last.state, last.at);
		if (!isActivated || !this.live) return;
		for (const key of Object.keys(this.usedData)) delete this.usedData[key];
		this.live.node = Object.assign(this.usedData, this.live.node);
	}

	get(): NodeState {
		const { saved, live, isActivated, last } = this;
		return canonical({ saved, live, isActivated, last });
	}

	override restart(): void {
		super.restart();
		this.last = undefined;
	}

	/** A poll whose items and state n8n discards, because the workflow is published meanwhile. */
	async discardedPoll(): Promise<void> {
		const saved = JSON.parse(JSON.stringify(this.saved)) as StaticData;
		await this.poll();
		this.saved = saved;
		this.register();
	}

	protected override async run(state: StaticData, budget: number) {
		const items: INodeExecutionData[] | null = await super.run(state, budget);
		const cursor = state.node.cursor as IDataObject | undefined;
		if (cursor) this.last = { state: cursor, at: this.world.history.durable ? this.world.now : 0 };
		return items;
	}

	/** Makes the process remember a state as that of the last poll. */
	private async remember(state: IDataObject, at = 0): Promise<void> {
		this.usedData.cursor = { ...state };
		const cursor = parseState(state);
		if (cursor === undefined) throw new Error('The state cannot be read');
		const context: IPollFunctions = this.context(this.usedData, {}, 300_000);
		const resetClocks = setClocks(
			() => at,
			() => at,
		);
		await CursorStore.inTurn(context, Infinity, async (store) => {
			store.save(store.load(cursor) ?? cursor, false);
		}).finally(resetClocks);
	}
}

/** Saves are counted from 1: only their order matters. */
function canonical(kept: Kept): NodeState {
	const text = JSON.stringify(kept);
	const counts = [...text.matchAll(/"saves":(\d+)/g)].map(([, count]) => Number(count));
	const least = Math.min(...counts) - 1;
	return text.replace(/"saves":(\d+)/g, (_, count) => `"saves":${Number(count) - least}`);
}
