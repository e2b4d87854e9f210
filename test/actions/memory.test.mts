import type { IExecuteFunctions } from 'n8n-workflow';

import { Memory, memoryOf } from '../../nodes/EngagementUploads/actions/memory.ts';

const NAME = 'Engagement Uploads';

/** The part of an attempt that identifies its run. */
function attempt(executeData: object, item: object | undefined = {}, retryOnFail = true) {
	return {
		getNode: () => ({ name: NAME, retryOnFail }),
		getExecuteData: () => executeData,
		getInputData: () => (item === undefined ? [] : [{ json: item }]),
	} as unknown as IExecuteFunctions;
}

const engineRun = () => ({ node: { name: NAME } });
const agentRun = () => ({ node: { name: 'AI Agent' } });

it('keeps the outcome of each item', () => {
	const memory = new Memory();
	const outcome = { records: [{ id: 1 }] };
	memory.keep(3, outcome);
	expect([memory.outcome(3), memory.outcome(2)]).toEqual([outcome, undefined]);
});

it('creates what an operation remembers only once', () => {
	const memory = new Memory();
	const make = jest.fn(() => new Set());
	const shared = memory.share('a', make);
	expect(memory.share('a', make)).toBe(shared);
	expect(memory.share('b', make)).not.toBe(shared);
	expect(make).toHaveBeenCalledTimes(2);
	memory.share('nothing', () => undefined);
	expect(memory.share('nothing', () => 'made again')).toBeUndefined();
});

it('is the same in all attempts of a run, and a different one in each run', () => {
	const [one, other] = [engineRun(), engineRun()];
	const memory = memoryOf(attempt(one, { same: 1 }));
	expect(memoryOf(attempt(one, { other: 1 }))).toBe(memory);
	expect(memoryOf(attempt(other))).not.toBe(memory);
});

it('differs by the arguments in the tool calls of one agent', () => {
	const [agent, first, second] = [agentRun(), {}, {}];
	const memory = memoryOf(attempt(agent, first));
	expect(memoryOf(attempt(agent, first))).toBe(memory);
	expect(memoryOf(attempt(agent, second))).not.toBe(memory);
	expect(memoryOf(attempt(agentRun(), first))).toBe(memory);
});

it('is new each time without Retry On Fail', () => {
	const run = engineRun();
	const memory = memoryOf(attempt(run, {}, false));
	expect(memoryOf(attempt(run, {}, false))).not.toBe(memory);
	expect(memoryOf(attempt(run))).not.toBe(memory);
});

it('is new each time if nothing identifies the run', () => {
	const agent = agentRun();
	const empty = { ...attempt(agent), getInputData: () => [] } as unknown as IExecuteFunctions;
	expect(memoryOf(empty)).not.toBe(memoryOf(empty));
});
