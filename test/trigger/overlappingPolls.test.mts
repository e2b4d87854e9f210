/** Polls of one trigger that overlap, hang or fail, while n8n keeps their state. */
import fc from 'fast-check';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { initialState } from '../../nodes/EngagementUploads/trigger/state.ts';
import { CursorStore } from '../../nodes/EngagementUploads/trigger/store.ts';
import { systemClock } from '../../nodes/EngagementUploads/transport/http/pool.ts';
import { playOut } from '../support/anyOrder.mts';

type Fate = 'finds one more' | 'finds no more' | 'fails' | 'hangs';

interface Given {
	isDurable: boolean;
	polls: Fate[];
	/** Parts of a poll's budget that pass at some time. */
	pauses: number[];
	/** How often the workflow is published again; only if n8n keeps the state in memory. */
	registrations: number;
}

const given: fc.Arbitrary<Given> = fc.record({
	isDurable: fc.boolean(),
	polls: fc.array(
		fc.constantFrom<Fate>('finds one more', 'finds one more', 'finds no more', 'fails', 'hangs'),
		{
			minLength: 1,
			maxLength: 7,
		},
	),
	pauses: fc.array(fc.constantFrom(0.3, 1.1), { maxLength: 4 }),
	registrations: fc.nat(2),
});

/** The workflow's static data. */
interface StaticData {
	node: IDataObject;
	global: IDataObject;
}

interface Poll {
	/** What n8n keeps for it. */
	data: StaticData;
	end: number;
	hasBegun: boolean;
	isOver: boolean;
}

const IDENTITY = { event: 'uploadCompleted', client: 'client', start: 'now' };
const MINUTE = 60_000;

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

let workflows = 0;

/** n8n with one trigger. The `mark` of its state says how many uploads have been emitted. */
class Play {
	/** In the order in which they arrived. */
	readonly polls: Poll[] = [];
	/** Uploads that exist, by number, and those that n8n passed on. */
	uploads = 0;
	readonly emitted: number[] = [];
	/** Everything that went wrong. */
	readonly complaints: string[] = [];
	private readonly workflow = { id: String(workflows++) };
	private readonly budget: number;
	private saved: StaticData = { node: {}, global: {} };
	private live = structuredClone(this.saved);
	private hasPolled = false;
	/** Polls for which n8n has read the state, but which have not begun, or are not committed. */
	private uncommitted = 0;
	private committed = Promise.resolve();

	constructor(
		private readonly scheduler: fc.Scheduler,
		private readonly given: Given,
	) {
		const { isDurable, polls, pauses, registrations } = given;
		this.budget = isDurable ? 36_000 : 5 * MINUTE;
		for (const [index, fate] of polls.entries()) void this.poll(index, fate);
		for (const part of pauses)
			void this.step('time passes').then(() => {
				// n8n takes seconds to read and to commit.
				if (this.uncommitted === 0) jest.advanceTimersByTime(part * this.budget);
			});
		for (let count = 0; count < registrations && !isDurable; count++)
			void this.step('the workflow is published').then(() => this.register());
	}

	/** Plays everything, until even polls that wait for one that hangs have had their turn. */
	async toTheEnd(): Promise<this> {
		for (let times = 0; times <= this.given.polls.length; times++) {
			await playOut(this.scheduler, () => this.checkWaits());
			jest.advanceTimersByTime(this.budget);
		}
		void this.poll(this.polls.length, 'finds one more');
		await playOut(this.scheduler);
		jest.clearAllTimers();
		return this;
	}

	private async step(label: string): Promise<void> {
		await this.scheduler.schedule(Promise.resolve(), label);
	}

	private register(): void {
		this.live = structuredClone(this.saved);
		this.hasPolled = false;
	}

	/** n8n polls at some time, and keeps the state. */
	private async poll(index: number, fate: Fate): Promise<void> {
		const { isDurable } = this.given;
		await this.step(`n8n begins poll ${index}`);
		const data = isDurable ? structuredClone(this.saved) : this.live;
		this.uncommitted++;
		if (isDurable) await this.step(`poll ${index} begins`);
		this.uncommitted--;
		const isFirst = !this.hasPolled;
		const poll = { data, end: systemClock.now() + this.budget, hasBegun: false, isOver: false };
		this.polls.push(poll);
		const emitted = await CursorStore.inTurn(
			this.contextOf(data),
			poll.end,
			async (store) => await this.work(poll, fate, store).finally(() => (poll.isOver = true)),
		).catch(() => []);
		// n8n ignores a poll of an older registration.
		if (!isDurable && data !== this.live) return;
		this.emitted.push(...emitted);
		this.hasPolled = true;
		const isEmitting = emitted.length > 0;
		if (!isDurable && (isEmitting || isFirst)) this.saved = structuredClone(data);
		if (!isDurable) return;
		this.uncommitted++;
		this.committed = this.committed.then(async () => {
			await this.step(`n8n commits poll ${index}`);
			this.uncommitted--;
			this.saved.node = structuredClone(data.node);
			if (isEmitting) this.saved.global = structuredClone(data.global);
		});
	}

	/** What a poll does in its turn, and the uploads that it emits. */
	private async work(poll: Poll, fate: Fate, store: CursorStore): Promise<number[]> {
		if (systemClock.now() >= poll.end - this.budget * 0.2) return [];
		this.begin(poll);
		const state = store.load(IDENTITY) ?? initialState(IDENTITY, []);
		await this.step(`poll ${this.polls.indexOf(poll)} has read the list`);
		if (fate === 'finds one more') this.uploads++;
		if (fate === 'hangs') await new Promise(() => {});
		const later = this.polls.slice(this.polls.indexOf(poll) + 1);
		const isOvertaken = later.some(({ hasBegun }) => hasBegun);
		// Its requests fail at the deadline.
		if (fate === 'fails' || (!isOvertaken && systemClock.now() >= poll.end - this.budget * 0.1))
			throw new Error('The poll failed');
		const known = state.mark ?? 0;
		const found = Array.from({ length: this.uploads - known }, (_, index) => known + 1 + index);
		const isStored = store.save({ ...state, mark: this.uploads }, found.length > 0);
		if (isStored && isOvertaken) this.complaints.push('a poll that was overtaken stored a state');
		if (!isStored && !isOvertaken && later.every(({ data }) => data === poll.data))
			this.complaints.push('a poll that was not overtaken stored nothing');
		return isStored ? found : [];
	}

	private begin(poll: Poll): void {
		if (this.polls.some((other) => other.hasBegun && this.isInTheWay(other, poll)))
			this.complaints.push('two polls at a time');
		poll.hasBegun = true;
	}

	private checkWaits(): void {
		for (const [index, poll] of this.polls.entries()) {
			const earlier = this.polls.slice(0, index);
			const isWaiting = !poll.hasBegun && !poll.isOver;
			if (isWaiting && !earlier.some((other) => this.isInTheWay(other, poll)))
				this.complaints.push('a poll waits for nobody');
		}
	}

	/** Whether a poll must wait for another: not if that has hung, or is of an older registration. */
	private isInTheWay(other: Poll, poll: Poll): boolean {
		const isOld = !this.given.isDurable && other.data !== poll.data;
		return !other.isOver && !isOld && systemClock.now() < other.end;
	}

	private contextOf(data: StaticData): IPollFunctions {
		const context = {
			getNode: () => ({ id: 'node' }),
			getWorkflow: () => this.workflow,
			getWorkflowStaticData: (scope: keyof StaticData) => data[scope],
			getActivationMode: () => (this.given.isDurable ? 'update' : 'activate'),
			getPollBudgetMs: () => this.budget,
		};
		return context as unknown as IPollFunctions;
	}
}

/** Checks a property of everything that can happen. */
async function always(check: (play: Play, drawn: Given) => void): Promise<void> {
	const property = fc.asyncProperty(fc.scheduler(), given, async (scheduler, drawn) => {
		check(await new Play(scheduler, drawn).toTheEnd(), drawn);
	});
	await fc.assert(property, { numRuns: 200 });
}

it('polls take turns, wait for none that has hung, and store nothing once overtaken', async () => {
	await always(({ complaints }) => expect(complaints).toEqual([]));
});

it('every upload is emitted once', async () => {
	await always(({ emitted, uploads }) => {
		expect(emitted).toEqual(Array.from({ length: uploads }, (_, index) => index + 1));
	});
});

it('every poll ends, except those that hang', async () => {
	await always(({ polls }, drawn) => {
		const hanging = drawn.polls.filter((fate) => fate === 'hangs').length;
		expect(polls.filter(({ isOver }) => !isOver).length).toBeLessThanOrEqual(hanging);
		expect(polls).toHaveLength(drawn.polls.length + 1);
	});
});
