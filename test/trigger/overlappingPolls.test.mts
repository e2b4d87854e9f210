/** Polls of one trigger that overlap, hang or fail: none waits for another. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { initialState } from '../../nodes/EngagementUploads/trigger/state.ts';
import { occasionOf } from '../../nodes/EngagementUploads/trigger/occasion.ts';
import { CursorStore } from '../../nodes/EngagementUploads/trigger/store.ts';
import { Turn } from '../../nodes/EngagementUploads/trigger/turn.ts';

const IDENTITY = { event: 'uploadCompleted', client: 'client', start: 'now' };
const SECOND = 1000;

let workflows = 0;
beforeEach(() => {
	jest.useFakeTimers();
	workflows += 1;
});
afterEach(() => jest.useRealTimers());

/** A poll that stores a state as soon as it is told to finish, and says whether it could. */
class HeldPoll {
	hasBegun = false;
	private readonly data: IDataObject;
	private release = (_isFailing: boolean) => {};
	private readonly held = new Promise<boolean>((resolve) => (this.release = resolve));
	private readonly isStored: Promise<boolean | undefined>;

	/** @param shared what n8n holds for its registration */
	constructor(
		private readonly shared: IDataObject,
		isDurable: boolean,
	) {
		// A durable poll has a copy, which n8n commits.
		this.data = isDurable ? structuredClone(shared) : shared;
		const budget = (isDurable ? 36 : 300) * SECOND;
		const workflow = { id: `workflow ${workflows}` };
		const context = {
			getMode: () => 'trigger',
			getNode: () => ({ id: 'node' }),
			getWorkflow: () => workflow,
			getWorkflowStaticData: (scope: string) => (scope === 'node' ? this.data : {}),
			getActivationMode: () => (isDurable ? 'update' : 'activate'),
			getPollBudgetMs: () => budget,
		} as unknown as IPollFunctions;
		this.isStored = this.run(context);
	}

	private async run(context: IPollFunctions): Promise<boolean | undefined> {
		const occasion = occasionOf(context);
		const turn = Turn.take(context, occasion);
		if (turn === undefined) return undefined;
		const store = new CursorStore(context, occasion, turn);
		this.hasBegun = true;
		try {
			if (await this.held) throw new Error('It fails');
			return store.save(store.load(IDENTITY) ?? initialState(IDENTITY, ''), true);
		} finally {
			turn.finish();
		}
	}

	/** Whether it stored its state; undefined if it did nothing. */
	async finish(): Promise<boolean | undefined> {
		this.release(false);
		const isStored = await this.isStored;
		if (isStored) Object.assign(this.shared, this.data);
		return isStored;
	}

	async fail(): Promise<void> {
		this.release(true);
		await expect(this.isStored).rejects.toThrow('It fails');
	}
}

const pass = async (seconds: number) => await jest.advanceTimersByTimeAsync(seconds * SECOND);

describe.each([{ durable: false }, { durable: true }])('a poll, %o,', ({ durable }) => {
	/** A function that starts polls of one registration. */
	function registration(): () => HeldPoll {
		const data = {};
		return () => new HeldPoll(data, durable);
	}

	it('does nothing while another one is under way', async () => {
		const poll = registration();
		const first = poll();
		await pass(10);
		const second = poll();
		expect(await second.finish()).toBeUndefined();
		expect(second.hasBegun).toBe(false);
		expect(await first.finish()).toBe(true);
		expect(await poll().finish()).toBe(true);
	});

	it('begins when the one before it has failed', async () => {
		const poll = registration();
		await poll().fail();
		expect(await poll().finish()).toBe(true);
	});

	it('supersedes one that has outlived its time, which then stores nothing', async () => {
		const poll = registration();
		const first = poll();
		// The first poll of a registration has a minute.
		await pass(durable ? 35 : 59);
		expect(await poll().finish()).toBeUndefined();
		await pass(2);
		const second = poll();
		expect(second.hasBegun).toBe(true);
		expect(await first.finish()).toBe(false);
		// The end of the first one does not let a third one in.
		expect(await poll().finish()).toBeUndefined();
		expect(await second.finish()).toBe(true);
	});
});

it('a poll of the newest registration supersedes one of an older registration', async () => {
	const older = {};
	const first = new HeldPoll(older, false);
	const newest = new HeldPoll({}, false);
	expect(await new HeldPoll(older, false).finish()).toBeUndefined();
	expect(await first.finish()).toBe(false);
	expect(await newest.finish()).toBe(true);
	expect(await new HeldPoll(older, false).finish()).toBe(true);
});
