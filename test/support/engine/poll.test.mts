import type { IDataObject, INodeType, IPollFunctions } from 'n8n-workflow';

import { describeNode } from './fixtures.mts';
import type { PollerSetup } from './node-poller.mts';
import { createPoller, type Poller } from './poll.mts';
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

/** Counts, with or without items; returns the saved and the live count. */
async function counts(poller: Poller, ...polls: boolean[]): Promise<unknown[]> {
	for (const hasItems of polls) {
		nextPoll = count(hasItems);
		await poller.poll();
	}
	return [poller.saved.count, poller.state.count];
}

async function fails(poller: Poller): Promise<void> {
	nextPoll = countAndThrow;
	await expect(poller.poll()).rejects.toThrow('the service is down');
}

describe('in-memory polling', () => {
	it('saves after the activation poll and after polls with items; the rest lives until a restart', async () => {
		const poller = create();
		expect(await counts(poller, false)).toEqual([1, 1]);
		expect(await counts(poller, false)).toEqual([1, 2]);
		expect(await counts(poller, true)).toEqual([3, 3]);
		await fails(poller);
		expect([poller.saved.count, poller.state.count]).toEqual([3, 4]);
		poller.restart();
		expect([poller.state, poller.globalState]).toEqual([{ count: 3 }, { count: 3 }]);
		expect(await counts(poller, false)).toEqual([4, 4]);
	});
});

describe('durable polling', () => {
	it('keeps of an activation poll without items only the global state, of later ones only the own', async () => {
		const poller = create({ durable: true });
		expect(await counts(poller, false)).toEqual([undefined, undefined]);
		expect(poller.globalState).toEqual({ count: 1 });
		expect(await counts(poller, false, false)).toEqual([2, 2]);
		expect(poller.globalState).toEqual({ count: 1 });
	});

	it('commits with items, discards after an error, and continues after a restart', async () => {
		const poller = create({ durable: true });
		expect(await counts(poller, true)).toEqual([1, 1]);
		await fails(poller);
		poller.restart();
		expect(await counts(poller)).toEqual([1, 1]);
		expect(await counts(poller, false)).toEqual([2, 2]);
		poller.reactivate();
		expect(await counts(poller, false)).toEqual([2, 2]);
	});

	it("does not overwrite an overlapping poll's commit with an unchanged copy", async () => {
		const poller = create({ durable: true, staticData: { count: 3 } });
		await counts(poller, false);
		let release: (() => void) | undefined;
		nextPoll = async () => {
			await new Promise<void>((resolve) => (release = resolve));
			return false;
		};
		const slow = poller.poll();
		while (release === undefined) await new Promise(setImmediate);
		await counts(poller, true);
		release();
		await slow;
		expect(poller.state).toEqual({ count: 4 });
	});
});
