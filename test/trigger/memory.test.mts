import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { initialState, type CursorState } from '../../nodes/EngagementUploads/trigger/cursor.ts';
import { Memory } from '../../nodes/EngagementUploads/trigger/memory.ts';

const DURABLE = { budget: 36_000, activation: 'update' };
const IN_MEMORY = { budget: 300_000, activation: 'activate' };

let workflowId: string;
beforeEach(() => (workflowId = randomUUID()));

/** What a poll sees of n8n: a state of its own, unless told another. */
function contextOf(
	{ budget, activation } = DURABLE,
	state: { node: IDataObject; global: IDataObject } = { node: {}, global: {} },
	nodeId = 'trigger',
): IPollFunctions {
	const context = {
		getNode: () => ({ id: nodeId }),
		getWorkflow: () => ({ id: workflowId }),
		getPollBudgetMs: () => budget,
		getActivationMode: () => activation,
		getWorkflowStaticData: (scope: 'node' | 'global') => state[scope],
	};
	return context as unknown as IPollFunctions;
}

function stateAt(mark: number): CursorState {
	return { ...initialState('source', 'filter'), mark };
}

const EMITTING = { isFirstLook: false, isEmitting: true };
const FIRST_LOOK = { isFirstLook: true, isEmitting: false };

/** What a poll finds at its end when another one kept a state while it was under way. */
async function markAfter(
	during: IPollFunctions,
	other: IPollFunctions,
	keep = EMITTING,
): Promise<number | null | undefined> {
	return await Memory.during(during, async (memory) => {
		await Memory.during(other, async (memory) => memory.keep(stateAt(1), keep));
		return memory.stateOf('source')?.mark;
	});
}

describe('polls under way at the same time', () => {
	it('go on from where another one has moved the state', async () => {
		expect(await markAfter(contextOf(), contextOf())).toBe(1);
	});

	it('take over the first look of another one', async () => {
		expect(await markAfter(contextOf(), contextOf(IN_MEMORY), FIRST_LOOK)).toBe(1);
	});

	it('follow several that moved it one after the other', async () => {
		const mark = await Memory.during(contextOf(), async (memory) => {
			await Memory.during(contextOf(), async (second) => {
				await Memory.during(contextOf(), async (first) => first.keep(stateAt(1), EMITTING));
				second.keep(stateAt(2), EMITTING);
			});
			return memory.stateOf('source')?.mark;
		});
		expect(mark).toBe(2);
	});

	it('do not build on one that n8n has given up', async () => {
		const late = contextOf({ ...DURABLE, budget: 0 });
		expect(await markAfter(contextOf(), late)).toBeUndefined();
	});

	it('are those of the same node', async () => {
		const other = contextOf(DURABLE, { node: {}, global: {} }, 'another');
		expect(await markAfter(contextOf(), other)).toBeUndefined();
	});
});

it('does not take for granted what n8n has not saved of a poll that is over', async () => {
	await Memory.during(contextOf(), async (memory) => memory.keep(stateAt(1), EMITTING));
	const found = await Memory.during(contextOf(), async (memory) => memory.stateOf('source'));
	expect(found).toBeUndefined();
});

describe('a first look', () => {
	const found = async (context: IPollFunctions) =>
		await Memory.during(context, async (memory) => memory.stateOf('source')?.mark);

	beforeEach(async () => {
		const activation = contextOf(IN_MEMORY);
		await Memory.during(activation, async (memory) => memory.keep(stateAt(1), FIRST_LOOK));
	});

	it('is not forgotten in durable polling, also when n8n has kept nothing of it', async () => {
		expect(await found(contextOf())).toBe(1);
	});

	it('is taken anew when the trigger is published without its state', async () => {
		expect(await found(contextOf(IN_MEMORY))).toBeUndefined();
		expect(await found(contextOf({ ...IN_MEMORY, activation: 'update' }))).toBeUndefined();
	});

	it('is of no account once there is a state', async () => {
		const state = { node: { cursor: { ...stateAt(7) } }, global: {} };
		expect(await found(contextOf(DURABLE, state))).toBe(7);
	});
});
