/** Work on many items that lets the rest of n8n, such as webhooks and timers, run in between. */
import { sleep } from 'n8n-workflow';

/** Maximum milliseconds of work without a pause. */
const SLICE = 50;

/** The inputs, with a pause whenever working on them has taken a while. */
export async function* inSlices<T>(inputs: Iterable<T>): AsyncGenerator<T> {
	let began = performance.now();
	for (const input of inputs) {
		if (performance.now() - began > SLICE) {
			await sleep(0);
			began = performance.now();
		}
		yield input;
	}
}
