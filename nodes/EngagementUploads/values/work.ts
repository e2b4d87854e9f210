/** Long work, side by side or one after the other, with pauses in which the rest of n8n runs. */
import { sleep } from 'n8n-workflow';

/** Maximum milliseconds of work without a pause. */
const MAX_WORK = 50;

/** The inputs, with a pause whenever working on them has taken a while, so that thousands do not block n8n. */
export async function* inSlices<T>(inputs: Iterable<T>): AsyncGenerator<T> {
	let began = performance.now();
	for (const input of inputs) {
		if (performance.now() - began > MAX_WORK) {
			await sleep(0);
			began = performance.now();
		}
		yield input;
	}
}

/**
 * Works on inputs in slices and in order, at most `width` at a time. After a failure, no further work is started;
 * work in progress is awaited, then the first failure is thrown, since later ones may be its consequences.
 */
export async function inParallel<T>(
	inputs: readonly T[],
	width: number,
	work: (input: T) => Promise<void>,
): Promise<void> {
	const queue = inSlices(inputs);
	const errors: unknown[] = [];
	const worker = async () => {
		for await (const input of queue) {
			if (errors.length > 0) break;
			await work(input).catch((error: unknown) => errors.push(error));
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, inputs.length) }, worker));
	if (errors.length > 0) throw errors[0];
}
