import fc from 'fast-check';
import { mapAhead } from '../../../nodes/EngagementUploads/transport/lists/mapAhead.ts';
import { playOut } from '../../support/anyOrder.mts';

it('keeps the order, and no more in progress than allowed, whatever ends first', async () => {
	const given = fc.record({
		scheduler: fc.scheduler(),
		count: fc.nat(30),
		most: fc.integer({ min: 1, max: 8 }),
		isEager: fc.boolean(),
		wanted: fc.nat(40),
	});
	await fc.assert(
		fc.asyncProperty(given, async ({ scheduler, count, most, isEager, wanted }) => {
			const widths: number[] = [];
			let inWork = 0;
			const work = async (value: number) => {
				inWork += 1;
				widths.push(inWork);
				await scheduler.schedule(Promise.resolve());
				inWork -= 1;
				return value;
			};
			async function* source() {
				for (let value = 0; value < count; value += 1) yield value;
			}
			const results: number[] = [];
			const consume = async () => {
				for await (const result of mapAhead(source(), { most, isEager }, work)) {
					results.push(result);
					if (results.length >= wanted) break;
				}
			};
			const done = consume();
			await playOut(scheduler);
			await done;
			const expected = Math.min(count, Math.max(1, wanted));
			expect(results).toEqual(Array.from({ length: expected }, (_, index) => index));
			expect(Math.max(0, ...widths)).toBeLessThanOrEqual(most);
			if (isEager && count >= most) expect(Math.max(...widths)).toBe(most);
			// One at first, then twice as many in work with each that comes out.
			const width = Math.min(most, 2 ** expected);
			if (!isEager) expect(widths.length).toBeLessThanOrEqual(expected + width);
		}),
	);
});

it('fails where a value fails, after the results before it', async () => {
	async function* source() {
		yield* [1, 2, 3];
	}
	const results: number[] = [];
	const consume = async () => {
		const work = async (value: number) =>
			value < 2 ? value : await Promise.reject(new Error(`No ${value}`));
		for await (const result of mapAhead(source(), { most: 3, isEager: true }, work))
			results.push(result);
	};
	await expect(consume()).rejects.toThrow('No 2');
	expect(results).toEqual([1]);
});
