/** How many requests a poll costs, and how large the state gets. */
import type { IDataObject } from 'n8n-workflow';
import type { Settings } from '../support/service/settings.mts';
import type { SimRequest, SimResponse } from '../support/service/request.mts';
import { Service } from '../support/service/service.mts';
import { EVENTS, findEvent } from './histories/history.mts';
import { LightTrigger, type Host } from './histories/lightTrigger.mts';
import { isLong } from '../support/long.mts';
import { forgetProcess, setClocks } from '../support/triggerProcess.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 5, 15, 10);
/** How long a busy account has been busy. */
const DAYS = isLong ? 2 : 1;
/** Uploads that have completed while nobody polled. */
const BACKLOG = isLong ? 30_000 : 10_000;

/** A service without sockets that counts its requests; its time passes only while it answers or n8n waits. */
class CountingService implements Host {
	readonly history: Host['history'];
	readonly zone = 'UTC';
	readonly service: Service;
	requests = 0;

	constructor(
		durable = false,
		settings: Partial<Settings> = {},
		private readonly requestTime = 0,
	) {
		this.history = { durable };
		this.service = new Service({
			record: false,
			settings: { ...settings, tokenLifetimeMs: Infinity },
		});
		const { model } = this.service;
		model.setClock(NOW);
		model.addConnector({ name: 'cloudbooks' });
		for (let id = 1; id <= 100; id++) model.addEngagement({ id });
	}

	get now(): number {
		return this.service.model.now;
	}

	/** Uploads that have completed, evenly spread over the last hours. */
	complete(count: number, hours: number): this {
		for (let at = count; at >= 1; at--) {
			const completedAt = this.now - Math.floor((at * hours * HOUR) / count);
			this.service.model.addCompletedUpload({ completedAt });
		}
		return this;
	}

	/** Uploads in progress, one for each engagement, evenly spread over the last hours. */
	start(count: number, hours: number): this {
		const { model } = this.service;
		for (let at = 1; at <= count; at++) {
			const { uploadId } = model.addCompletedUpload({ engagementId: at });
			const createdAt = NOW - Math.floor((at * hours * HOUR) / count);
			model.updateUpload(uploadId, { createdAt, completedAt: null, status: 'LOADING' });
		}
		return this;
	}

	answer(request: SimRequest, sentAt: number): SimResponse {
		this.requests += 1;
		const { response } = this.service.handle(request);
		if (response === undefined) throw new Error('There is no response');
		this.service.model.setClock(Math.max(this.now, sentAt + this.requestTime));
		return response;
	}
}

/** Runs something by a service's clock. */
async function withClock<T>(host: CountingService, run: () => Promise<T>): Promise<T> {
	const now = () => host.now;
	const resetClocks = setClocks(now, now, async (milliseconds) => {
		host.service.model.moveClock(milliseconds);
		await Promise.resolve();
	});
	forgetProcess();
	try {
		return await run();
	} finally {
		resetClocks();
	}
}

/** The cost of a quiet poll, the third or a later one, and the size of the state; `pass` comes after earlier polls. */
async function pollQuietly(event: string, host: CountingService, earlier = 1, pass = () => {}) {
	return await withClock(host, async () => {
		// Nothing that is in progress is stuck yet.
		const trigger = new LightTrigger(host, { event, output: 'raw', stuckAfter: 160 });
		for (let polled = 0; polled < earlier; polled++) {
			await trigger.poll();
			pass();
		}
		await trigger.poll();
		host.requests = 0;
		expect(await trigger.poll()).toBeNull();
		return { requests: host.requests, bytes: JSON.stringify(trigger.globalState).length };
	});
}

/** A dated event, and one that follows uploads. */
const KINDS = ['uploadCompleted', 'uploadFailed'];

describe.each(isLong ? EVENTS : KINDS)('a quiet poll of %s', (event) => {
	it.each<[account: string, fill: (host: CountingService) => void, forFollowed: number]>([
		['an empty account', () => {}, 0],
		['a small account', (host) => host.complete(300, 90 * 24), 0],
		['an account with an upload in progress', (host) => host.complete(20, 3).start(1, 6 * 24), 2],
		['an account with 100 of them', (host) => host.complete(20, 3).start(100, 6 * 24), 2],
	])(
		'of %s costs one request, and no more than two for those that are followed',
		async (_, fill, forFollowed) => {
			const host = new CountingService();
			fill(host);
			const { requests } = await pollQuietly(event, host);
			expect(requests).toBeGreaterThanOrEqual(1);
			const { isFollowing } = findEvent({ event });
			expect(requests).toBeLessThanOrEqual(1 + (isFollowing ? forFollowed : 0));
		},
	);

	it('costs no more after two days, and keeps only what the look-back needs', async () => {
		const host = new CountingService();
		const { requests, bytes } = await pollQuietly(event, host, 48, () => {
			host.service.model.moveClock(HOUR);
			host.complete(10, 1);
		});
		expect(requests).toBe(1);
		expect(bytes).toBeLessThan(6000);
	});
});

it.each<[event: string, settings: Partial<Settings>]>([
	['uploadCompleted', {}],
	['uploadFailed', {}],
	['uploadCompleted', { filterZone: 'Asia/Kolkata' }],
	['uploadCompleted', { filterZone: 'America/New_York' }],
])(
	'a quiet poll of %s in a busy account costs the pages of the look-back and two hours, %j',
	async (event, settings) => {
		const host = new CountingService(false, settings).complete(10_000 * DAYS, 24 * DAYS);
		const pages = Math.ceil((10_000 * 4) / 24 / 500);
		expect((await pollQuietly(event, host, 4)).requests).toBeLessThanOrEqual(pages);
	},
);

it.each<[string, boolean, Partial<Settings>, number]>([
	['at 30 requests a minute', false, { rateLimit: { requests: 30, perMs: MINUTE } }, 0],
	['at 1.5 s a request, in durable polling', true, {}, 1500],
])(
	`a back-log of ${BACKLOG} comes out oldest first, with one request for each 100 uploads, %s`,
	async (_, durable, settings, requestTime) => {
		const host = new CountingService(durable, settings, requestTime).complete(300, 720);
		await withClock(host, async () => {
			const trigger = new LightTrigger(host, { output: 'raw' });
			expect(await trigger.poll()).toBeNull();
			expect(await trigger.poll()).toBeNull();
			host.service.model.moveClock(72 * HOUR);
			host.complete(BACKLOG, 72);
			host.requests = 0;
			const emitted: IDataObject[] = [];
			while (emitted.length < BACKLOG) {
				const items = (await trigger.poll()) ?? [];
				expect(items.length).toBeGreaterThan(0);
				emitted.push(...items.map(({ json }) => json));
				host.service.model.moveClock(MINUTE);
			}
			const dates = emitted.map(({ completionDate }) => String(completionDate));
			expect(dates).toEqual(dates.toSorted());
			expect(new Set(emitted.map(({ uploadId }) => uploadId)).size).toBe(BACKLOG);
			expect(host.requests).toBeLessThanOrEqual(BACKLOG / 100);
		});
	},
);
