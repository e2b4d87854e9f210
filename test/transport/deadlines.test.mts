import { getEventListeners } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';

import { Deadlines } from '../../nodes/EngagementUploads/transport/deadlines.ts';

const LONG = 60_000;
const never = async () => await new Promise<never>(() => {});
const quick = async (signal: AbortSignal) => signal;
const timeout = { name: 'TimeoutError', message: 'The request timed out' };

/** An exchange that lasts until its signal ends it. */
async function endless(signal: AbortSignal): Promise<never> {
	return await new Promise((_, reject) =>
		signal.addEventListener('abort', () => reject(signal.reason as Error)),
	);
}

describe('the deadline of an exchange', () => {
	it('ends it with a timeout', async () => {
		await expect(new Deadlines().within(20, endless)).rejects.toMatchObject(timeout);
	});

	it('ends it even if it does not respect its signal', async () => {
		await expect(new Deadlines().within(20, never)).rejects.toMatchObject(timeout);
	});

	it('leaves alone what ends before it', async () => {
		const deadlines = new Deadlines();
		const ended = await deadlines.within(20, quick);
		await expect(deadlines.within(40, never)).rejects.toMatchObject(timeout);
		expect(ended.aborted).toBe(false);
	});

	it('is its own, whatever the others have, and in whichever order they begin', async () => {
		const deadlines = new Deadlines();
		const ended: number[] = [];
		const exchange = async (milliseconds: number) => {
			await expect(deadlines.within(milliseconds, endless)).rejects.toMatchObject(timeout);
			ended.push(milliseconds);
		};
		const startedAt = performance.now();
		await Promise.all([exchange(900), exchange(20), exchange(450)]);
		expect(ended).toEqual([20, 450, 900]);
		expect(performance.now() - startedAt).toBeGreaterThanOrEqual(899);
	});

	it('holds for an exchange that begins after an earlier one has timed out', async () => {
		const deadlines = new Deadlines();
		await expect(deadlines.within(10, never)).rejects.toMatchObject(timeout);
		await after(20);
		await expect(deadlines.within(10, never)).rejects.toMatchObject(timeout);
	});

	it('shares one timer with the others', async () => {
		const timer = jest.spyOn(AbortSignal, 'timeout');
		const deadlines = new Deadlines();
		await Promise.all(Array.from({ length: 100 }, async () => await deadlines.within(LONG, quick)));
		const durations = timer.mock.calls.map(([milliseconds]) => milliseconds);
		timer.mockRestore();
		expect(durations).toEqual([expect.closeTo(LONG, -3)]);
	});

	it('passes on the error of a failed exchange', async () => {
		const failing = async () => await Promise.reject(new Error('reset'));
		await expect(new Deadlines().within(LONG, failing)).rejects.toThrow('reset');
	});
});

describe('a cancelled execution', () => {
	it('ends all exchanges with its reason', async () => {
		const execution = new AbortController();
		const deadlines = new Deadlines(execution.signal);
		const exchanges = [endless, never].map(async (send) => await deadlines.within(LONG, send));
		execution.abort(new Error('cancelled'));
		const outcomes = await Promise.allSettled(exchanges);
		expect(outcomes).toMatchObject(
			exchanges.map(() => ({ status: 'rejected', reason: { message: 'cancelled' } })),
		);
	});

	it('starts none', async () => {
		const deadlines = new Deadlines(AbortSignal.abort(new Error('cancelled')));
		const send = jest.fn(never);
		await expect(deadlines.within(LONG, send)).rejects.toThrow('cancelled');
		expect(send).not.toHaveBeenCalled();
	});

	it('has one listener while exchanges are under way, and none after', async () => {
		const { signal } = new AbortController();
		const deadlines = new Deadlines(signal);
		const listeners = () => getEventListeners(signal, 'abort').length;
		const ends: Array<() => void> = [];
		const exchanges = Array.from(
			{ length: 100 },
			async () =>
				await deadlines.within(LONG, async () => await new Promise<void>((end) => ends.push(end))),
		);
		expect(listeners()).toBe(1);
		ends.forEach((end) => end());
		await Promise.all(exchanges);
		expect(listeners()).toBe(0);
		await expect(deadlines.within(10, never)).rejects.toMatchObject(timeout);
		expect(listeners()).toBe(0);
	});
});
