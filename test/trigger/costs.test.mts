/** What a quiet poll costs, and how large the state gets. */
import type { SimRequest, SimResponse } from '../support/service/request.mts';
import { Service } from '../support/service/service.mts';
import { EVENTS, isFollowing, type EventName } from './histories/history.mts';
import { LightTrigger, type Host } from './histories/lightTrigger.mts';
import { setClocks } from './histories/product.mts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 5, 15, 10);

/** A service without sockets that counts its requests. */
class CountingService implements Host {
	readonly history = { durable: false, zone: 'UTC' };
	readonly service = new Service({ record: false, settings: { tokenLifetimeMs: Infinity } });
	requests = 0;

	constructor(engagements: number) {
		const { model } = this.service;
		model.setClock(NOW);
		model.addConnector({ name: 'cloudbooks' });
		for (let id = 1; id <= engagements; id++) model.addEngagement({ id });
	}

	get now(): number {
		return this.service.model.now;
	}

	/** Uploads that completed a minute after their creation, evenly spread over the last hours. */
	complete(count: number, hours: number): this {
		for (let at = 1; at <= count; at++) {
			const completedAt = this.now - Math.floor((at * hours * HOUR) / count);
			this.service.model.addCompletedUpload({ completedAt });
		}
		return this;
	}

	/** Uploads in flight, one for each engagement, evenly spread over the last hours. */
	start(count: number, hours: number): this {
		const { model } = this.service;
		for (let at = 1; at <= count; at++) {
			const { uploadId } = model.addCompletedUpload({ engagementId: at });
			const createdAt = NOW - Math.floor((at * hours * HOUR) / count);
			model.updateUpload(uploadId, { createdAt, completedAt: null, status: 'LOADING' });
		}
		return this;
	}

	answer(request: SimRequest): SimResponse {
		this.requests += 1;
		const { response } = this.service.handle(request);
		if (response === undefined) throw new Error('There is no response');
		return response;
	}
}

/**
 * The requests of a quiet poll, once the order is known, and the size of the state in bytes; `pass` is
 * called after each of the polls before it.
 */
async function costsOf(event: EventName, host: CountingService, polls = 1, pass = () => {}) {
	const now = () => host.now;
	const resetClocks = setClocks(now, now, async () => {});
	try {
		// Nothing that is in flight is stuck yet.
		const trigger = new LightTrigger(host, { event, output: 'raw', stuckAfter: 160 });
		for (let polled = 0; polled < polls; polled++) {
			await trigger.poll();
			pass();
		}
		await trigger.poll();
		host.requests = 0;
		expect(await trigger.poll()).toBeNull();
		return { requests: host.requests, bytes: JSON.stringify(trigger.state.node).length };
	} finally {
		resetClocks();
	}
}

describe.each(EVENTS)('a quiet poll of %s', (event) => {
	it.each([0, 1, 100])(
		'costs one request with %i uploads in flight, or two if some are followed',
		async (inFlight) => {
			const host = new CountingService(100);
			if (inFlight > 0) host.complete(20, 3).start(inFlight, 6 * 24);
			const followed = isFollowing({ event }) && inFlight > 0 ? 1 : 0;
			expect((await costsOf(event, host)).requests).toBe(1 + followed);
		},
	);

	it('costs the pages of the window and one more with 10,000 uploads a day', async () => {
		const host = new CountingService(1).complete(10_000, 24);
		const pages = Math.ceil((10_000 * 3) / 24 / 100);
		expect((await costsOf(event, host)).requests).toBeLessThanOrEqual(pages + 1);
	});

	it('costs no more after two days, and keeps only what the look-back needs', async () => {
		const host = new CountingService(1);
		const { requests, bytes } = await costsOf(event, host, 48, () => {
			host.service.model.moveClock(HOUR);
			host.complete(10, 1);
		});
		expect(requests).toBe(1);
		expect(bytes).toBeLessThan(6000);
	});

	it('has a state below 1 MB with 6,000 uploads in the look-back', async () => {
		const { bytes } = await costsOf(event, new CountingService(1).complete(6000, 2));
		expect(bytes).toBeGreaterThan(100_000);
		expect(bytes).toBeLessThan(1_000_000);
	});
});
