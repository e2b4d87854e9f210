/** How many requests a poll costs, and how large the state gets. */
import type { IDataObject } from 'n8n-workflow';
import type { Settings } from '../support/service/settings.mts';
import type { SimRequest } from '../support/service/request.mts';
import { EVENTS, findEvent, usual, type History } from './histories/history.mts';
import { LightTrigger } from './histories/lightTrigger.mts';
import { World } from './histories/world.mts';
import { isLong } from '../support/long.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a busy account has been busy. */
const DAYS = isLong ? 2 : 1;
/** Uploads that have completed while nobody polled. */
const BACKLOG = isLong ? 30_000 : 3000;
/** What a busy account uploads in a day. */
const DAILY = isLong ? 10_000 : 4000;

/** A service that counts its requests. */
class Account extends World {
	requests = 0;

	constructor(given: Partial<History> = {}) {
		super({ ...usual, ...given }, 100);
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
			const createdAt = this.now - Math.floor((at * hours * HOUR) / count);
			model.updateUpload(uploadId, { createdAt, completedAt: null, status: 'LOADING' });
		}
		return this;
	}

	override answer(request: SimRequest, sentAt: number) {
		this.requests += 1;
		return super.answer(request, sentAt);
	}
}

/** The cost of a quiet poll, the third or a later one, and the size of the state; `pass` comes after earlier polls. */
async function pollQuietly(event: string, account: Account, earlier = 1, pass = () => {}) {
	return await account.run(async () => {
		// Nothing that is in progress is stuck yet.
		const trigger = new LightTrigger(account, { event, output: 'raw', stuckAfter: 160 });
		for (let polled = 0; polled < earlier; polled++) {
			await trigger.poll();
			pass();
		}
		await trigger.poll();
		account.requests = 0;
		expect(await trigger.poll()).toBeNull();
		return { requests: account.requests, bytes: JSON.stringify(trigger.globalState).length };
	});
}

/** A dated event, and one that follows uploads. */
const KINDS = ['uploadCompleted', 'uploadFailed'];

describe.each(isLong ? EVENTS : KINDS)('a quiet poll of %s', (event) => {
	it.each<[name: string, fill: (account: Account) => Account, forFollowed: number]>([
		['an empty account', (account) => account, 0],
		['a small account', (account) => account.complete(300, 90 * 24), 0],
		['one with an upload in progress', (account) => account.complete(20, 3).start(1, 6 * 24), 2],
		['one with 100 of them', (account) => account.complete(20, 3).start(100, 6 * 24), 2],
	])('of %s costs one request, and at most two for followed ones', async (_, fill, forFollowed) => {
		const { requests } = await pollQuietly(event, fill(new Account()));
		expect(requests).toBeGreaterThanOrEqual(1);
		const { isFollowing } = findEvent({ event });
		expect(requests).toBeLessThanOrEqual(1 + (isFollowing ? forFollowed : 0));
	});

	it('costs no more after two days, and keeps only what the look-back needs', async () => {
		const account = new Account();
		const { requests, bytes } = await pollQuietly(event, account, 48, () => {
			account.pass(HOUR);
			account.complete(10, 1);
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
])('a quiet poll of %s costs pages of the look-back and two hours, %j', async (event, settings) => {
	const account = new Account({ settings }).complete(DAILY * DAYS, 24 * DAYS);
	const pages = Math.ceil((DAILY * 4) / 24 / 500);
	expect((await pollQuietly(event, account, 4)).requests).toBeLessThanOrEqual(pages);
});

it.each<[string, Partial<History>]>([
	['at 30 requests a minute', { settings: { rateLimit: { requests: 30, perMs: MINUTE } } }],
	['at 1.5 s a request, in durable polling', { durable: true, requestTime: 1500 }],
])(`a back-log of ${BACKLOG} comes out oldest first, 100 per request, %s`, async (_, given) => {
	const account = new Account(given).complete(300, 720);
	await account.run(async () => {
		const trigger = new LightTrigger(account, { output: 'raw' });
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		account.pass(72 * HOUR);
		account.complete(BACKLOG, 72);
		account.requests = 0;
		const emitted: IDataObject[] = [];
		while (emitted.length < BACKLOG) {
			const items = (await trigger.poll()) ?? [];
			expect(items.length).toBeGreaterThan(0);
			emitted.push(...items.map(({ json }) => json));
			account.pass(MINUTE);
		}
		const dates = emitted.map(({ completionDate }) => String(completionDate));
		expect(dates).toEqual(dates.toSorted());
		expect(new Set(emitted.map(({ uploadId }) => uploadId)).size).toBe(BACKLOG);
		expect(account.requests).toBeLessThanOrEqual(BACKLOG / 100);
	});
});
