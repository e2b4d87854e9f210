/** Which copy of the state counts: the table above `chooseState`, row by row. */
import type { State } from '../../nodes/EngagementUploads/trigger/state.ts';
import { chooseState } from '../../nodes/EngagementUploads/trigger/store.ts';

/** A copy, by how many polls had emitted something; `before` is that of the state before a first durable emission. */
type Copy = Pick<Partial<State>, 'emissions' | 'isDurable' | 'polledAt'> & { before?: Copy };
type Copies = Partial<Record<'own' | 'replaced' | 'shared' | 'remembered', Copy>>;

const durable = (emissions: number): Copy => ({ emissions, isDurable: true });
const inMemory = (emissions: number): Copy => ({ emissions });
/** The state before the first durable emission, which n8n may roll back. */
const before = inMemory(2);
const afterFirst: Copy = { ...durable(3), before };

const POLLS = {
	'a durable poll': { kind: 'scheduled', isDurable: true },
	'a first poll': { kind: 'first', isDurable: false },
	'a poll in memory mode': { kind: 'scheduled', isDurable: false },
} as const;

it.each<[poll: keyof typeof POLLS, copies: Copies, counts: Copy | undefined]>([
	['a durable poll', { own: durable(4), shared: afterFirst }, durable(4)],
	['a first poll', { own: durable(4), shared: afterFirst, remembered: durable(4) }, durable(4)],
	['a durable poll', { replaced: { ...durable(4), polledAt: 2 }, shared: afterFirst }, undefined],
	['a first poll', { replaced: { ...durable(4), polledAt: 2 }, shared: afterFirst }, undefined],
	['a durable poll', { replaced: durable(4), shared: { ...afterFirst, polledAt: 2 } }, before],
	['a first poll', { replaced: durable(1), shared: inMemory(2) }, inMemory(2)],
	['a durable poll', { own: durable(1), shared: inMemory(2) }, inMemory(2)],
	['a first poll', { own: durable(1), shared: inMemory(2) }, inMemory(2)],
	['a durable poll', { shared: afterFirst }, before],
	['a durable poll', { own: durable(1), shared: afterFirst, remembered: durable(3) }, before],
	['a durable poll', { shared: durable(0) }, durable(0)],
	['a first poll', { own: durable(1), shared: afterFirst }, afterFirst],
	['a first poll', { shared: afterFirst, remembered: inMemory(2) }, afterFirst],
	['a poll in memory mode', { shared: inMemory(2), remembered: inMemory(4) }, inMemory(4)],
	['a first poll', { shared: inMemory(2), remembered: inMemory(4) }, inMemory(4)],
	['a first poll', { shared: inMemory(2), remembered: inMemory(3) }, inMemory(2)],
	['a first poll', { remembered: inMemory(3) }, undefined],
])('for %s, of %j counts %j', (poll, copies, counts) => {
	const states = copies as Record<keyof Copies, State | undefined>;
	expect(chooseState(states, POLLS[poll])).toEqual(counts);
});
