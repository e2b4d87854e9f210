/** A few random histories, for quick feedback; test/trigger/histories.test.mts plays more. */
import fc from 'fast-check';
import { histories } from './histories/arbitrary.mts';
import { EVENTS } from './histories/history.mts';
import { judge } from './histories/oracle.mts';
import { play } from './histories/player.mts';

it.each(EVENTS)('the first histories of %s keep the promises', async (event) => {
	for (const history of fc.sample(histories(event), { numRuns: 3, seed: 1 }))
		expect(judge(await play(history))).toEqual([]);
});
