import fc from 'fast-check';

import { histories } from './histories/arbitrary.mts';
import { EVENTS } from './histories/history.mts';
import { judge } from './histories/oracle.mts';
import { play } from './histories/player.mts';

/** Enough to notice breakage while working; histories.test.mts plays many more. */
const HISTORIES = 5;

it.each(EVENTS)(`${HISTORIES} histories of %s keep the promises`, async (event) => {
	const asPromised = fc.asyncProperty(histories(event), async (history) => {
		expect(judge(await play(history))).toEqual([]);
	});
	await fc.assert(asPromised, { numRuns: HISTORIES, seed: 1 });
});
