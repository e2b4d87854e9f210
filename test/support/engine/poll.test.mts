import type { IDataObject, INodeType, IPollFunctions } from 'n8n-workflow';

import { describeNode } from './fixtures.mts';
import { HAS_POLL_BUDGETS } from './lines.mts';
import type { PollerSetup } from './node-poller.mts';
import { createPoller } from './poll.mts';
import { typesOf } from './types.mts';

type Poll = (context: IPollFunctions, state: IDataObject) => Promise<boolean> | boolean;

/** The action of the next poll; returns whether there are items. */
let nextPoll: Poll;

/** Emits its state if there are items. */
class Ticker implements INodeType {
	description = {
		...describeNode('ticker', [{ displayName: 'Word', name: 'word', type: 'string', default: '' }]),
		inputs: [],
		polling: true as const,
	};

	async poll(this: IPollFunctions) {
		const state = this.getWorkflowStaticData('node');
		const hasItems = await nextPoll(this, state);
		return hasItems ? [[{ json: { ...state } }]] : null;
	}
}

const types = typesOf({ nodes: { ticker: Ticker } });
const create = (setup: Partial<PollerSetup> = {}) =>
	createPoller({ types, node: 'ticker', ...setup });

const count =
	(hasItems: boolean): Poll =>
	(context, state) => {
		state.count = Number(state.count ?? 0) + 1;
		const everywhere = context.getWorkflowStaticData('global');
		everywhere.count = Number(everywhere.count ?? 0) + 1;
		return hasItems;
	};

const countAndThrow: Poll = (context, state) => {
	void count(true)(context, state);
	throw new Error('the service is down');
};

it('returns the items or null, and throws what the node throws', async () => {
	const poller = create();
	nextPoll = count(true);
	expect(await poller.poll()).toEqual([{ json: { count: 1 } }]);
	nextPoll = count(false);
	expect(await poller.poll()).toBeNull();
	nextPoll = countAndThrow;
	await expect(poller.poll()).rejects.toThrow('the service is down');
});

describe('in-memory polling', () => {
	it('saves after the activation poll, with or without items, and after polls with items', async () => {
		const poller = create();
		nextPoll = count(false);
		await poller.poll();
		expect(poller.saved).toEqual({ count: 1 });
		await poller.poll();
		expect(poller.state).toEqual({ count: 2 });
		expect(poller.saved).toEqual({ count: 1 });
		nextPoll = count(true);
		await poller.poll();
		expect(poller.saved).toEqual({ count: 3 });
	});

	it('loses unsaved state of node and workflow at a restart', async () => {
		const poller = create();
		nextPoll = count(false);
		await poller.poll();
		await poller.poll();
		poller.restart();
		expect(poller.state).toEqual({ count: 1 });
		expect(poller.globalState).toEqual({ count: 1 });
		await poller.poll();
		expect(poller.saved).toEqual({ count: 2 });
	});

	it('keeps in memory what a poll changed before it threw', async () => {
		const poller = create();
		nextPoll = count(true);
		await poller.poll();
		nextPoll = countAndThrow;
		await expect(poller.poll()).rejects.toThrow();
		expect(poller.state).toEqual({ count: 2 });
		expect(poller.saved).toEqual({ count: 1 });
	});

	it('stays inactive after an activation poll that threw', async () => {
		const poller = create();
		nextPoll = countAndThrow;
		await expect(poller.poll()).rejects.toThrow();
		expect(poller.saved).toEqual({});
		nextPoll = count(false);
		await poller.poll();
		expect(poller.saved).toEqual({ count: 2 });
	});

	it('lets overlapping polls share one state, and discards one that a restart superseded', async () => {
		const poller = create({ staticData: { count: 5 } });
		const releases: Array<() => void> = [];
		nextPoll = async (context, state) => {
			await new Promise<void>((resolve) => {
				releases.push(resolve);
				if (releases.length === 2) for (const release of releases) release();
			});
			return await count(true)(context, state);
		};
		await Promise.all([poller.poll(), poller.poll()]);
		expect(poller.saved).toEqual({ count: 7 });

		nextPoll = (context, state) => {
			poller.restart();
			return count(true)(context, state);
		};
		expect(await poller.poll()).toBeNull();
		expect(poller.state).toEqual({ count: 7 });
	});
});

describe('durable polling', () => {
	it('keeps only the global state of an activation poll without items', async () => {
		const poller = create({ durable: true });
		nextPoll = count(false);
		await poller.poll();
		expect(poller.state).toEqual({});
		expect(poller.globalState).toEqual({ count: 1 });
	});

	it("commits the node's state, not the workflow's, after later polls without items", async () => {
		const poller = create({ durable: true });
		nextPoll = count(false);
		await poller.poll();
		await poller.poll();
		await poller.poll();
		expect(poller.state).toEqual({ count: 2 });
		expect(poller.globalState).toEqual({ count: 1 });
	});

	it('commits with items, discards after an error, and continues after a restart', async () => {
		const poller = create({ durable: true });
		nextPoll = count(true);
		await poller.poll();
		nextPoll = countAndThrow;
		await expect(poller.poll()).rejects.toThrow();
		poller.restart();
		expect(poller.state).toEqual({ count: 1 });
		expect(poller.saved).toEqual({ count: 1 });
		nextPoll = count(false);
		await poller.poll();
		expect(poller.state).toEqual({ count: 2 });
	});

	it("does not overwrite an overlapping poll's commit with an unchanged copy", async () => {
		const poller = create({ durable: true, staticData: { count: 3 } });
		nextPoll = () => false;
		await poller.poll();
		let release: (() => void) | undefined;
		nextPoll = async () => {
			await new Promise<void>((resolve) => (release = resolve));
			return false;
		};
		const slow = poller.poll();
		while (release === undefined) await new Promise(setImmediate);
		nextPoll = count(true);
		await poller.poll();
		release();
		await slow;
		expect(poller.state).toEqual({ count: 4 });
	});

	it('runs an activation poll again after being switched off and on', async () => {
		const poller = create({ durable: true, staticData: { count: 3 } });
		nextPoll = count(false);
		await poller.poll();
		poller.reactivate();
		await poller.poll();
		expect(poller.state).toEqual({ count: 3 });
		await poller.poll();
		expect(poller.state).toEqual({ count: 4 });
	});
});

it.each([
	[{}, 'activate'],
	[{ durable: true }, 'update'],
])('continues with changed parameters and the saved state with %j', async (setup, activation) => {
	const poller = create({ ...setup, parameters: { word: 'old' } });
	nextPoll = count(true);
	await poller.poll();
	poller.change({ word: 'new' });
	nextPoll = (context, state) => {
		state.seen = [context.getNodeParameter('word'), context.getActivationMode()];
		return true;
	};
	expect(await poller.poll()).toEqual([{ json: { count: 1, seen: ['new', activation] } }]);
});

it('shows the saved state to a manual test, and discards its changes', async () => {
	const poller = create({ mode: 'manual', staticData: { count: 8 } });
	nextPoll = (context, state) => {
		state.mode = context.getMode();
		return count(true)(context, state);
	};
	expect(await poller.poll()).toEqual([{ json: { count: 9, mode: 'manual' } }]);
	expect(poller.state).toEqual({ count: 8 });
});

const USUAL_BUDGET = HAS_POLL_BUDGETS ? 300_000 : undefined;

it.each([
	[{}, ['activate', USUAL_BUDGET], ['activate', USUAL_BUDGET]],
	[{ durable: true }, ['activate', 300_000], ['update', 36_000]],
	[{ budgetMs: 1500 }, ['activate', 1500], ['activate', 1500]],
	[{ budgetMs: null }, ['activate', undefined], ['activate', undefined]],
])('provides the activation mode and the budget with %j', async (setup, first, second) => {
	const seen: unknown[] = [];
	const poller = create(setup);
	nextPoll = (context) => {
		const { getPollBudgetMs }: Partial<IPollFunctions> = context;
		seen.push([context.getActivationMode(), getPollBudgetMs?.call(context)]);
		return false;
	};
	await poller.poll();
	await poller.poll();
	expect(seen).toEqual([first, second]);
});
