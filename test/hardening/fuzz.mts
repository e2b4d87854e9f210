/** Settings of the fuzz tests: number of runs (`FUZZ_RUNS`). A failure prints its seed. */
import type { Parameters } from 'fast-check';

const runs = Number(process.env.FUZZ_RUNS ?? 1);

/** Parameters of a property, with the number of runs in a short test. */
export function fuzz<T>(shortRuns: number): Parameters<T> {
	return { numRuns: Math.ceil(shortRuns * runs), endOnFailure: false };
}
