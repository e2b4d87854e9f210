import fc from 'fast-check';
import { mapOrdered } from '../../../nodes/EngagementUploads/transport/limiter.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('mapOrdered', () => {
	const inputs = fc.array(fc.nat(), { maxLength: 30, size: 'max' });
	const width = fc.integer({ min: 1, max: 10 });

	it('keeps the order and the width, whichever task ends first', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), inputs, width, async (scheduler, numbers, most) => {
				let inFlight = 0;
				let highest = 0;
				const work = mapOrdered(numbers, most, async (number, index) => {
					highest = Math.max(highest, ++inFlight);
					await scheduler.schedule(Promise.resolve());
					inFlight--;
					return `${index}: ${number}`;
				});
				expect(await scheduler.waitFor(work)).toEqual(
					numbers.map((number, index) => `${index}: ${number}`),
				);
				expect(highest).toBe(Math.min(most, numbers.length));
			}),
		);
	});

	it('starts nothing after a failure, waits for tasks in flight, and throws the first failure', async () => {
		const faults = fc.uniqueArray(fc.nat(29), { minLength: 1 });
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), faults, width, async (scheduler, bad, most) => {
				const failures: number[] = [];
				const startedLate: number[] = [];
				let inFlight = 0;
				const work = mapOrdered(range(30), most, async (index) => {
					if (failures.length > 0) startedLate.push(index);
					inFlight++;
					await scheduler.schedule(Promise.resolve());
					inFlight--;
					if (!bad.includes(index)) return;
					failures.push(index);
					throw new Error(`fault of ${index}`);
				});
				const outcome = await scheduler.waitFor(work.then(String, String));
				expect(outcome).toBe(`Error: fault of ${failures[0]}`);
				expect(startedLate).toEqual([]);
				expect(inFlight).toBe(0);
			}),
		);
	});

	it('pauses after work that takes long, for all tasks together', async () => {
		let turn = 0;
		let isDone = false;
		let now = 0;
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
		const countTurns = () => {
			turn++;
			if (!isDone) setImmediate(countTurns);
		};
		setImmediate(countTurns);
		const turns = await mapOrdered(range(6), 3, async () => {
			// Longer than any work without a pause.
			now += 51;
			return turn;
		});
		isDone = true;
		clock.mockRestore();
		expect(new Set(turns).size).toBe(6);
	});
});
