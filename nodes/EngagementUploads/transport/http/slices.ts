/** Long work in slices, so that the rest of n8n, such as webhooks and timers, runs in between. */
import { sleep } from 'n8n-workflow';

/** Maximum milliseconds of work without a pause. */
const MAX_WORK = 50;

/** The time since the last pause. */
export class TimeSlice {
	private began = performance.now();

	get isOver(): boolean {
		return performance.now() - this.began > MAX_WORK;
	}

	async renew(): Promise<void> {
		await sleep(0);
		this.began = performance.now();
	}
}

/** The inputs, with a pause whenever working on them has taken a while. */
export async function* inSlices<T>(inputs: Iterable<T>): AsyncGenerator<T> {
	const slice = new TimeSlice();
	for (const input of inputs) {
		if (slice.isOver) await slice.renew();
		yield input;
	}
}
