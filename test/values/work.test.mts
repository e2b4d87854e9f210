/** What is done side by side, its order, and its pauses. */
import fc from 'fast-check';
import { inParallel } from '../../nodes/EngagementUploads/values/work.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('work in parallel', () => {
	const timing = fc.scheduler();
	const width = fc.integer({ min: 1, max: 10 });
	/** Of the clock by which slices of work are measured. */
	let now = 0;
	beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => now));
	afterEach(() => jest.restoreAllMocks());

	it('begins in order, and keeps the width, whichever task ends first', async () => {
		const inputs = fc.array(fc.nat(), { maxLength: 30, size: 'max' });
		const property = fc.asyncProperty(timing, inputs, width, async (scheduler, numbers, most) => {
			let [underWay, highest] = [0, 0];
			const begun: number[] = [];
			const work = inParallel(numbers, most, async (number) => {
				begun.push(number);
				highest = Math.max(highest, ++underWay);
				await scheduler.schedule(Promise.resolve());
				underWay--;
			});
			await scheduler.waitFor(work);
			expect(begun).toEqual(numbers);
			expect(highest).toBe(Math.min(most, numbers.length));
		});
		await fc.assert(property);
	});

	it('starts nothing after a failure, waits for what is under way, and throws the first failure', async () => {
		const faults = fc.uniqueArray(fc.nat(29), { minLength: 1 });
		const property = fc.asyncProperty(timing, faults, width, async (scheduler, bad, most) => {
			const failures: number[] = [];
			const startedLate: number[] = [];
			let underWay = 0;
			const work = inParallel(range(30), most, async (index) => {
				if (failures.length > 0) startedLate.push(index);
				underWay++;
				await scheduler.schedule(Promise.resolve());
				underWay--;
				if (!bad.includes(index)) return;
				failures.push(index);
				throw new Error(`fault of ${index}`);
			});
			const outcome = await scheduler.waitFor(work.then(String, String));
			expect(outcome).toBe(`Error: fault of ${failures[0]}`);
			expect([startedLate, underWay]).toEqual([[], 0]);
		});
		await fc.assert(property);
	});

	it('lets the rest of n8n work after each slice', async () => {
		let hasOthers = false;
		setTimeout(() => (hasOthers = true), 0);
		const seen: boolean[] = [];
		await inParallel(range(6), 2, async () => {
			seen.push(hasOthers);
			// Two of them are longer than a slice.
			now += 26;
			await Promise.resolve();
		});
		expect(seen).toEqual([false, false, true, true, true, true]);
	});
});
