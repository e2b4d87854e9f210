/** Requests that share a credential whose token expires, with everything in any order. */
import fc from 'fast-check';
import { given, Play, type Given } from './tokenPlay.mts';

/** Plays what is given to its end. */
async function always(
	arbitrary: fc.Arbitrary<Given>,
	check: (play: Play, given: Given) => void,
): Promise<void> {
	const property = fc.asyncProperty(fc.scheduler(), arbitrary, async (scheduler, drawn) => {
		const play = new Play(scheduler, drawn);
		await play.end();
		check(play, drawn);
	});
	await fc.assert(property, { numRuns: 200 });
}

it('one token at a time is fetched, a request is repeated at most three times, and each ends', async () => {
	await always(given, ({ complaints, sent, outcomes }, { requests, fetchesSucceed }) => {
		expect(complaints).toEqual([]);
		for (const tokens of sent) {
			expect(tokens.length).toBeLessThanOrEqual(4);
			// Not with the one that was just rejected; n8n may still have an earlier one stored.
			expect(tokens.filter((token, at) => token === tokens[at - 1])).toEqual([]);
		}
		expect(Object.keys(outcomes)).toHaveLength(requests);
		for (const outcome of outcomes) {
			if (outcome.includes('(status 400)')) expect(fetchesSucceed).toContain(false);
			else expect(outcome).toMatch(/answered|rejected the new token as well/);
		}
	});
});

it('every request is answered if all tokens have expired once', async () => {
	const once = { strays: [], expiries: 1, saves: 0, fetchesSucceed: [] };
	const expiring = given.map((drawn) => ({ ...drawn, ...once }));
	await always(expiring, ({ outcomes }) => {
		for (const outcome of outcomes) expect(outcome).toBe('answered');
	});
});
