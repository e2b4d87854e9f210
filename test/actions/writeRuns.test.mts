/**
 * Whatever n8n does, every item's write reaches the service once, or is reported as unknown or
 * rejected.
 */

import * as fc from 'fast-check';

import { fuzz } from '../hardening/fuzz.mts';
import { complaintsAbout } from './writeRunPlayer.mts';
import { writeRuns } from './writeRuns.mts';

jest.setTimeout(3_600_000);

it('sends every write once in random runs', async () => {
	await fc.assert(
		fc.asyncProperty(writeRuns, async (run) => {
			expect(await complaintsAbout(run)).toEqual([]);
		}),
		fuzz(40),
	);
});
