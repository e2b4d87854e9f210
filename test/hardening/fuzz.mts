/** Settings of the fuzz tests: number of runs and seed (`FUZZ_RUNS`, `FUZZ_SEED`). */
import type { Parameters } from 'fast-check';

const runs = Number(process.env.FUZZ_RUNS ?? 1);
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);

/** Parameters of a property, with the number of runs in a short test; a failure prints its seed. */
export function fuzz<T>(shortRuns: number): Parameters<T> {
	return { seed, numRuns: Math.ceil(shortRuns * runs), endOnFailure: false };
}
