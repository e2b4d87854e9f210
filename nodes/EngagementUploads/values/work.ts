/** Long work, side by side or one after the other, with pauses in which the rest of n8n runs. */
import { sleep } from 'n8n-workflow';

/** Maximum milliseconds of work without a pause. */
const MAX_WORK = 50;

/**
 * Lets webhooks and timers of n8n run after each slice of work. Workers share one: if each had its own, all
 * of them would work for that long before n8n gets its turn.
 */
class TimeSlice {
	private began = performance.now();
	private pausing: Promise<void> | undefined;

	get isOver(): boolean {
		return performance.now() - this.began > MAX_WORK;
	}

	async pause(): Promise<void> {
		this.pausing ??= sleep(0).then(() => {
			this.began = performance.now();
			this.pausing = undefined;
		});
		await this.pausing;
	}
}

/** The inputs, with a pause whenever working on them has taken a while. */
export async function* inSlices<T>(inputs: Iterable<T>): AsyncGenerator<T> {
	const slice = new TimeSlice();
	for (const input of inputs) {
		if (slice.isOver) await slice.pause();
		yield input;
	}
}

/**
 * Maps inputs to results in order, at most `width` at a time. After a failure, no further work is started;
 * work in progress is awaited, then the first failure is thrown, since later ones may be its consequences.
 * Pauses after each slice of work, so that thousands of inputs do not block n8n.
 */
export async function mapOrdered<In, Out>(
	inputs: readonly In[],
	width: number,
	work: (input: In, index: number) => Promise<Out>,
): Promise<Out[]> {
	const results = new Array<Out>(inputs.length);
	let failed: { error: unknown } | undefined;
	let next = 0;
	const slice = new TimeSlice();
	const worker = async () => {
		while (next < inputs.length && failed === undefined) {
			if (slice.isOver) {
				await slice.pause();
				continue;
			}
			const index = next++;
			try {
				results[index] = await work(inputs[index] as In, index);
			} catch (error) {
				failed ??= { error };
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, inputs.length) }, worker));
	if (failed !== undefined) throw failed.error;
	return results;
}
