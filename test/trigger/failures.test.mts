import { afterRequest } from '../support/runs.mts';
import { complete, idsOf, service, trigger, useSmallService } from './polling.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

useSmallService();

/** The error that a poll throws. */
async function failureOf(poll: Promise<unknown>) {
	const error: unknown = await poll.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof Error)) throw new Error('The poll did not fail');
	return error as Error & { failure?: { cause: string; retryAfterMs?: number } };
}

describe('a failed poll', () => {
	it.each([
		[429, 'rate-limited'],
		[403, 'quota-exhausted'],
		[503, 'temporarily-unavailable'],
	])('with %d and an hour to wait tells n8n when to poll again', async (status, cause) => {
		const poller = trigger();
		service.fail({}, { kind: 'status', status, headers: { 'retry-after': '3600' } });
		const { failure } = await failureOf(poller.poll());
		expect(failure?.cause).toBe(cause);
		expect(failure?.retryAfterMs).toBeGreaterThan(3_500_000);
		expect(failure?.retryAfterMs).toBeLessThanOrEqual(3_600_000);
		expect(poller.state).toEqual({});
	});

	it('does not wait longer than its remaining time', async () => {
		const poller = trigger({}, { budgetMs: 3000 });
		service.fail({}, { kind: 'status', status: 429, headers: { 'retry-after': '60' } });
		const begun = Date.now();
		const { failure } = await failureOf(poller.poll());
		expect(Date.now() - begun).toBeLessThan(2500);
		expect(failure?.retryAfterMs).toBeGreaterThan(50_000);
	});

	it('aborts a request that exceeds its time', async () => {
		const poller = trigger({}, { budgetMs: 1000 });
		service.fail({}, { kind: 'hang' });
		const begun = Date.now();
		const { failure, message } = await failureOf(poller.poll());
		expect(Date.now() - begun).toBeLessThan(4000);
		expect(failure?.cause).toBe('temporarily-unavailable');
		expect(message).toMatch(/did not respond within 0\.\d seconds/);
	});

	it('does not occur if the clock is set while it reads', async () => {
		const ids = [3, 2, 1].map((minutes) => complete(minutes));
		const poller = trigger({ startFrom: 'beginning', options: { pageSize: 1 } });
		afterRequest(service, 1, () => {
			const { now } = Date;
			jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
		});
		expect(await idsOf(poller)).toEqual(ids);
	});

	it('names a field with an invalid value, before anything is sent', async () => {
		const poller = trigger({ options: { maxUploadsPerPoll: 0 } });
		expect((await failureOf(poller.poll())).message).toContain('Max Uploads per Poll “0”');
		expect(service.requests).toHaveLength(0);
	});
});

it('keeps its order within a list even if a page is rejected', async () => {
	const ids = [6, 5, 4, 3, 2].map((minutes) => complete(minutes));
	service.settings.unsortedDefault = 'newestFirst';
	const poller = trigger({ startFrom: 'beginning', options: { pageSize: 2 } });
	service.fail({ query: { page: '1' } }, { kind: 'status', status: 400 });
	await expect(poller.poll()).rejects.toThrow('400');
	expect(await idsOf(poller)).toEqual(ids);
});
