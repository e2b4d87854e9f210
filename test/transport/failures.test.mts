import type { SimulatedService } from '../support/service/http.mts';
import type { Fault } from '../support/service/faults.mts';
import { passTimeFaster } from '../support/fastClock.mts';
import { run } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

/** How long the node waits between attempts. Whether it retries at all is tested in test/hardening. */

passTimeFaster(3);

const get = { resource: 'company', operation: 'get', engagementId: 1001 };
const refusal = (status: number, retryAfter?: string): Fault => ({
	kind: 'status',
	status,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
});
const tooMany = (retryAfter: string) => refusal(429, retryAfter);

/** Milliseconds between the requests. */
const gaps = ({ requests }: SimulatedService) =>
	requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));

describe('Retry-After', () => {
	it('in seconds is respected', async () => {
		const { service } = await smallWorld();
		try {
			service.fail({}, tooMany('1'), { times: 2 });
			expect((await run(service, get)).error).toBeUndefined();
			expect(service.requests).toHaveLength(3);
			for (const gap of gaps(service)) {
				expect(gap).toBeGreaterThanOrEqual(990);
				expect(gap).toBeLessThan(5000);
			}
		} finally {
			await service.close();
		}
	});

	it.each([
		['the clock of the service', true],
		["n8n's clock if the service sends no time", false],
	])('as a date is compared with %s', async (_what, dateHeader) => {
		const { service: own } = await smallWorld();
		try {
			own.settings.dateHeader = dateHeader;
			const now = dateHeader ? own.model.now : Math.ceil(Date.now() / 1000) * 1000;
			const until = new Date(now + 1000).toUTCString();
			own.fail({}, tooMany(until));
			const { error } = await run(own, get);
			expect(error).toBeUndefined();
			const [first, second] = own.requests;
			expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
			expect((second?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(5000);
		} finally {
			await own.close();
		}
	});

	it('is missing: waits grow within bounds', async () => {
		const { service } = await smallWorld();
		try {
			service.fail({}, refusal(500), { times: Infinity });
			expect((await run(service, get)).error).toBeDefined();
			const [first = 0, second = 0, third = 0, fourth = 0] = gaps(service);
			expect(first).toBeGreaterThanOrEqual(240);
			expect(second).toBeGreaterThanOrEqual(490);
			expect(third).toBeGreaterThanOrEqual(990);
			expect(fourth).toBeGreaterThanOrEqual(1990);
			expect(fourth).toBeLessThan(9000);
		} finally {
			await service.close();
		}
	});

	it('applies to all requests in flight', async () => {
		const { service: own } = await smallWorld();
		try {
			own.settings.latencyMs = 5;
			own.fail({}, tooMany('2'), { skip: 3 });
			const items = Array.from({ length: 60 }, () => ({}));
			const { items: results, error } = await run(own, get, items);
			expect(error).toBeUndefined();
			expect(results).toHaveLength(60);
			const refused = own.requests.find((request) => request.status === 429);
			const refusedAt = refused?.doneAt ?? 0;
			// Requests sent before the rejection was read may still arrive.
			const meanwhile = own.requests.filter(
				({ at }) => at > refusedAt + 1000 && at < refusedAt + 1900,
			);
			expect(meanwhile).toEqual([]);
		} finally {
			await own.close();
		}
	});
});
