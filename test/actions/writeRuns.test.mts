/**
 * Whatever n8n does, every item's write reaches the service once, or is reported as unknown or
 * rejected.
 */

import * as fc from 'fast-check';

import { fuzz } from '../hardening/fuzz.mts';
import { examples, operationName } from '../support/examples.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { complaintsAbout } from './writeRunPlayer.mts';
import { writeRuns, writes } from './writeRuns.mts';

jest.setTimeout(3_600_000);
useVirtualTime();

it('sends every write once in random runs', async () => {
	await fc.assert(
		fc.asyncProperty(writeRuns, async (run) => {
			expect(await complaintsAbout(run)).toEqual([]);
		}),
		fuzz(40),
	);
});

it('leaves out no operation that writes', () => {
	const written = examples.filter(({ method }) => method === 'POST');
	const missing = written
		.map(({ operation }) => operationName(operation))
		.filter((name) => !Object.hasOwn(writes, name));
	expect(missing.map((name) => `Add ${name} to the writes in writeRuns.mts`)).toEqual([]);
});
