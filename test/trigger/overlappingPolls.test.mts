/** Polls of one trigger that overlap or hang: none waits for another. */
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

/**
 * Starts a poll. The returned function lets it store a state, and says whether it could; undefined if
 * the poll did nothing. `shared` is what n8n holds for its registration.
 */
function startPoll(shared: IDataObject, isDurable = false): () => boolean | undefined {
	// A durable poll has a copy, which n8n commits.
	const data = isDurable ? structuredClone(shared) : shared;
	const budget = (isDurable ? 36 : 300) * SECOND;
	const workflow = { id: `workflow ${workflows}` };
	const context = {
		getMode: () => 'trigger',
		getNode: () => ({ id: 'node' }),
		getWorkflow: () => workflow,
		getWorkflowStaticData: (scope: string) => (scope === 'node' ? data : {}),
		getActivationMode: () => (isDurable ? 'update' : 'activate'),
		getPollBudgetMs: () => budget,
	} as unknown as IPollFunctions;
	const occasion = occasionOf(context);
	const turn = Turn.take(context, occasion);
	return () => {
		if (turn === undefined) return undefined;
		const store = new CursorStore(context, occasion, turn);
		const isStored = store.save(store.load(IDENTITY) ?? initialState(IDENTITY, ''), true);
		turn.finish();
		if (isStored) Object.assign(shared, data);
		return isStored;
	};
}

it.each([{ durable: false }, { durable: true }])(
	'a poll does nothing while another one is under way, but supersedes it once its time is over, %o',
	({ durable }) => {
		const registration = {};
		const poll = () => startPoll(registration, durable);
		const first = poll();
		// The first poll of a registration has a minute.
		jest.advanceTimersByTime((durable ? 35 : 59) * SECOND);
		expect(poll()()).toBeUndefined();
		jest.advanceTimersByTime(2 * SECOND);
		const second = poll();
		expect(first()).toBe(false);
		// The end of the first one does not let a third one in.
		expect(poll()()).toBeUndefined();
		expect(second()).toBe(true);
		expect(poll()()).toBe(true);
	},
);

it('a poll of the newest registration supersedes one of an older registration', () => {
	const older = {};
	const first = startPoll(older);
	const newest = startPoll({});
	expect(startPoll(older)()).toBeUndefined();
	expect(first()).toBe(false);
	expect(newest()).toBe(true);
	expect(startPoll(older)()).toBe(true);
});
