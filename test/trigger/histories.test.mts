/** Random histories of the service and the trigger, judged by what docs/how-the-trigger-works.md promises. */
import fc from 'fast-check';
import { fuzz } from '../hardening/fuzz.mts';
import { histories } from './histories/arbitrary.mts';
import { EVENTS, usual, type History } from './histories/history.mts';
import { judge } from './histories/oracle.mts';
import { play, type Played } from './histories/player.mts';

it.each(EVENTS)('random histories of %s keep the promises', async (event) => {
	let emitted = 0;
	const asPromised = fc.asyncProperty(histories(event), async (history) => {
		const played = await play(history);
		emitted += played.polls.reduce((sum, { items = [] }) => sum + items.length, 0);
		expect(judge(played)).toEqual([]);
	});
	await fc.assert(asPromised, fuzz(16));
	if (emitted === 0)
		throw new Error(
			`No history emits ${event}: make test/trigger/histories/arbitrary.mts cause it`,
		);
});

describe.each(EVENTS)('of a history of %s, the oracle', (event) => {
	const { begin } = usual;
	const HOUR = 3_600_000;
	const upload = { createdAt: begin, listedAt: begin + 1000, connectorName: 'ledgerpro' };
	/** After the first poll, one upload is added that goes on for hours, one that fails, and one that completes. */
	const history: History = {
		...usual,
		event,
		uploads: [
			{ ...upload, changes: [] },
			{ ...upload, changes: [{ at: begin + 60_000, patch: { status: 'FAILED' } }] },
			{
				...upload,
				changes: [
					{ at: begin + 30_000, patch: { status: 'COMPLETED', completedAt: begin + 30_000 } },
				],
			},
		],
		steps: [0, 60_000, 9 * HOUR, 2 * HOUR].map((after) => {
			return { do: 'poll', after, overlapping: 1, isDiscarded: false };
		}),
	};

	it.each<[string, RegExp, (played: Played) => unknown]>([
		['accepts what is right', /^$/, () => {}],
		['reports a lost upload', /due by poll \d/, ({ polls }) => emitting(polls).items?.pop()],
		[
			'reports one that is emitted twice',
			/emitted before|emitted twice|considered new/,
			({ polls }) => polls.at(-1)?.items?.push(...(emitting(polls).items ?? [])),
		],
	])('%s', async (_, complaints, change) => {
		const played = await play(history);
		change(played);
		expect(judge(played).join('; ')).toMatch(complaints);
	});

	function emitting(polls: Played['polls']) {
		const found = polls.find(({ items = [] }) => items.length > 0);
		if (found !== undefined) return found;
		throw new Error(`Make the history in test/trigger/histories.test.mts cause ${event}`);
	}
});
