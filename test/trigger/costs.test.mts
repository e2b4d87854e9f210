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

/** Runs a test by a service's clock. */
async function withClock(host: CountingService, run: () => Promise<void>): Promise<void> {
	const now = () => host.now;
	const resetClocks = setClocks(now, now, async (milliseconds) => {
		host.service.model.moveClock(milliseconds);
		await Promise.resolve();
	});
	forgetProcess();
	try {
		await run();
	} finally {
		resetClocks();
	}
}

/** The cost of a quiet poll after a few others, and the size of the state. */
async function pollQuietly(event: string, host: CountingService, polls = 4, pass = () => {}) {
	const cost = { requests: NaN, bytes: NaN };
	await withClock(host, async () => {
		// Nothing that is in progress is stuck yet.
		const trigger = new LightTrigger(host, { event, output: 'raw', stuckAfter: 160 });
		for (let polled = 0; polled < polls; polled++) {
			await trigger.poll();
			pass();
		}
		await trigger.poll();
		host.requests = 0;
		expect(await trigger.poll()).toBeNull();
		cost.requests = host.requests;
		cost.bytes = JSON.stringify(trigger.globalState).length;
	});
	return cost;
}

/** Every event, or one of each kind: dated ones, and those that follow uploads. */
const COSTLY = EVENTS.filter((event, at) => {
	const { isFollowing } = findEvent({ event });
	const isFirst = EVENTS.findIndex(
		(each) => findEvent({ event: each }).isFollowing === isFollowing,
	);
	return isLong || isFirst === at;
});

describe.each(COSTLY)('a quiet poll of %s', (event) => {
	it.each([0, 1, 100])(
		'costs one request with %i uploads in progress, and no more than two for those that are followed',
		async (inProgress) => {
			const host = new CountingService();
			if (inProgress > 0) host.complete(20, 3).start(inProgress, 6 * 24);
			const followed = findEvent({ event }).isFollowing && inProgress > 0 ? 2 : 0;
			const { requests } = await pollQuietly(event, host);
			expect(requests).toBeGreaterThanOrEqual(1);
			expect(requests).toBeLessThanOrEqual(1 + followed);
		},
	);

	it('costs one request in a small account from the third poll on', async () => {
		const host = new CountingService().complete(300, 90 * 24);
		expect((await pollQuietly(event, host, 1)).requests).toBe(1);
	});

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

describe.each(['uploadCompleted', 'uploadFailed'])(
	'in a busy account, a quiet poll of %s',
	(event) => {
		it('costs the pages of the look-back and two hours with 10,000 uploads a day', async () => {
			const host = new CountingService().complete(10_000 * DAYS, 24 * DAYS);
			const pages = Math.ceil((10_000 * 4) / 24 / 500);
			expect((await pollQuietly(event, host)).requests).toBeLessThanOrEqual(pages);
		});
	},
);

it.each([{ filterZone: 'Asia/Kolkata' }, { filterZone: 'America/New_York' }])(
	'a date filter in another zone costs no more: %j',
	async (settings) => {
		const host = new CountingService(false, settings).complete(10_000 * DAYS, 24 * DAYS);
		expect((await pollQuietly('uploadCompleted', host)).requests).toBeLessThanOrEqual(4);
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
