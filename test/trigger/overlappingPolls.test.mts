/** Polls of one trigger that overlap, hang or fail. The explorer overlaps those that do neither. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { initialState } from '../../nodes/EngagementUploads/trigger/state.ts';
import { CursorStore } from '../../nodes/EngagementUploads/trigger/store.ts';
import { systemClock } from '../../nodes/EngagementUploads/transport/http/pool.ts';

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
	private release = (_isFailing: boolean) => {};
	private readonly held = new Promise<boolean>((resolve) => (this.release = resolve));
	private readonly isStored: Promise<boolean>;

	/** @param data what n8n holds for its registration */
	constructor(data: IDataObject, isDurable: boolean) {
		const budget = (isDurable ? 36 : 300) * SECOND;
		const workflow = { id: `workflow ${workflows}` };
		const context = {
			getNode: () => ({ id: 'node' }),
			getWorkflow: () => workflow,
			getWorkflowStaticData: (scope: string) => (scope === 'node' ? data : {}),
			getActivationMode: () => (isDurable ? 'update' : 'activate'),
			getPollBudgetMs: () => budget,
		} as unknown as IPollFunctions;
		this.isStored = CursorStore.inTurn(context, systemClock.now() + budget, async (store) => {
			this.hasBegun = true;
			if (await this.held) throw new Error('It fails');
			return store.save(store.load(IDENTITY) ?? initialState(IDENTITY, []), true);
		});
	}

	async finish(): Promise<boolean> {
		this.release(false);
		return await this.isStored;
	}

	async fail(): Promise<void> {
		this.release(true);
		await expect(this.isStored).rejects.toThrow('It fails');
	}
}

const pass = async (seconds: number) => await jest.advanceTimersByTimeAsync(seconds * SECOND);

describe.each([{ durable: false }, { durable: true }])('a poll, %o,', ({ durable }) => {
	/** Two polls of one registration; in durable polling, each has a copy of the state. */
	function twoPolls(): [HeldPoll, HeldPoll] {
		const data = {};
		return [new HeldPoll(data, durable), new HeldPoll(durable ? {} : data, durable)];
	}

	it('waits for the one before it', async () => {
		const [first, second] = twoPolls();
		await pass(10);
		expect([first.hasBegun, second.hasBegun]).toEqual([true, false]);
		expect(await first.finish()).toBe(true);
		await pass(1);
		expect(second.hasBegun).toBe(true);
		expect(await second.finish()).toBe(true);
	});

	it('begins when the one before it has failed', async () => {
		const [first, second] = twoPolls();
		await first.fail();
		await pass(1);
		expect(second.hasBegun).toBe(true);
	});

	it('waits for one that hangs until its time is over; that one then stores nothing', async () => {
		const [first, second] = twoPolls();
		await pass(durable ? 35 : 299);
		expect(second.hasBegun).toBe(false);
		await pass(2);
		expect(second.hasBegun).toBe(true);
		expect(await first.finish()).toBe(false);
		expect(await second.finish()).toBe(true);
	});
});

it('a poll of the newest registration overtakes older ones, which wait for it', async () => {
	const older = {};
	const first = new HeldPoll(older, false);
	const newest = new HeldPoll({}, false);
	const second = new HeldPoll(older, false);
	await pass(1);
	expect([newest.hasBegun, second.hasBegun]).toEqual([true, false]);
	expect(await first.finish()).toBe(false);
	expect(await newest.finish()).toBe(true);
	await pass(1);
	expect(await second.finish()).toBe(true);
});
