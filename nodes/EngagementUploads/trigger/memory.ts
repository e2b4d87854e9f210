/**
 * Where the cursor is kept between polls. In memory, n8n lets all polls share one state. In durable
 * polling each poll has a copy, and what the activation poll noted is not kept. So a first look goes
 * into the workflow's own data and is remembered in this process too, and polls under way at the same
 * time tell each other where they have moved the state. Only what lies in one process is told: a state
 * that n8n did not save after all is not taken for granted by later polls.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { asData, savedState, type CursorState } from './cursor';

/** n8n without a poll budget, or without durable polling, gives a poll as much time as it takes. */
const STANDARD_BUDGET = 300_000;

/** What a poll made of the state that it found, both as JSON has it. */
interface Move {
	from: string | undefined;
	to: IDataObject;
}

/** By workflow and node. */
const underWay = new Map<string, Set<Memory>>();
const firstLooks = new Map<string, IDataObject>();

export class Memory {
	/** When n8n gives up on this poll at the earliest, epoch milliseconds. */
	readonly end: number;
	private readonly own: IDataObject;
	private readonly shared: IDataObject;
	private readonly sharedName: string;
	private readonly key: string;
	private readonly forgetsFirstLook: boolean;
	private readonly moves: Move[] = [];

	private constructor(context: IPollFunctions) {
		const { id } = context.getNode();
		const budget = context.getPollBudgetMs?.() ?? STANDARD_BUDGET;
		this.end = Date.now() + budget;
		this.own = context.getWorkflowStaticData('node');
		this.shared = context.getWorkflowStaticData('global');
		this.sharedName = `engagementUploadsTrigger ${id}`;
		this.key = JSON.stringify([context.getWorkflow().id, id]);
		// Thus durable polling calls a scheduled poll, and no other.
		this.forgetsFirstLook = budget < STANDARD_BUDGET && context.getActivationMode() === 'update';
		// Once n8n has saved a state that goes on from it, a first look is of the past.
		const [saved, firstLook] = [this.own.cursor, firstLooks.get(this.key)].map(savedState);
		if (saved !== undefined && saved.source === firstLook?.source) firstLooks.delete(this.key);
	}

	/** Does what a poll does, while other polls of the node may be under way. */
	static async during<T>(context: IPollFunctions, poll: (memory: Memory) => Promise<T>) {
		const memory = new Memory(context);
		const polls = underWay.get(memory.key) ?? new Set();
		underWay.set(memory.key, polls.add(memory));
		try {
			return await poll(memory);
		} finally {
			polls.delete(memory);
			if (polls.size === 0) underWay.delete(memory.key);
		}
	}

	/**
	 * The state of a service and start as it is now: another poll may have moved it on since. After
	 * they changed, n8n's durable polling still has the state of the old ones, not the new first look.
	 */
	stateOf(source: string): CursorState | undefined {
		const firstLook = this.forgetsFirstLook ? firstLooks.get(this.key) : undefined;
		const states = [this.movedOn(), this.shared[this.sharedName], firstLook].map(savedState);
		return states.find((state) => state?.source === source);
	}

	/** Keeps a state; nothing is assigned when it is what is there. */
	keep(
		state: CursorState,
		{ isFirstLook, isEmitting }: { isFirstLook: boolean; isEmitting: boolean },
	): void {
		const data = asData(state);
		const from = JSON.stringify(this.movedOn());
		if (isFirstLook) {
			this.shared[this.sharedName] = data;
			firstLooks.set(this.key, data);
		} else if (isEmitting && Object.hasOwn(this.shared, this.sharedName))
			delete this.shared[this.sharedName];
		if (from === JSON.stringify(data)) return;
		this.own.cursor = data;
		// What comes after the end n8n may have given up on already: others must not build on it.
		if (Date.now() < this.end) this.tell({ from, to: data });
	}

	private tell(move: Move): void {
		for (const other of underWay.get(this.key) ?? []) if (other !== this) other.moves.push(move);
	}

	/** The node's state, with what polls that were under way with this one have made of it. */
	private movedOn(): unknown {
		let state = this.own.cursor;
		for (const { from, to } of this.moves) if (JSON.stringify(state) === from) state = to;
		return state;
	}
}
