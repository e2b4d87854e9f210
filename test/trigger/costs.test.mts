/** How many requests a poll costs, and how large the state gets. */
import type { IDataObject } from 'n8n-workflow';
import type { SimRequest } from '../support/service/request.mts';
import { EVENTS, usual, type History } from './histories/history.mts';
import { LightTrigger } from './histories/lightTrigger.mts';
import { World } from './histories/world.mts';
import { isLong } from '../support/long.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Uploads that have completed while nobody polled. */
const BACKLOG = isLong ? 30_000 : 3000;

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

	override answer(request: SimRequest, sentAt: number) {
		this.requests += 1;
		return super.answer(request, sentAt);
	}
}

/** The requests of a quiet poll, and the size of the state after it; `pass` comes after each earlier poll. */
async function pollQuietly(event: string, account: Account, earlier = 1, pass = () => {}) {
	return await account.run(async () => {
		const trigger = new LightTrigger(account, { event, output: 'raw' });
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

it.each(EVENTS)(
	'a quiet poll of %s costs the pages of its window, and keeps no more',
	async (event) => {
		const account = new Account().complete(3000, 10 * 24);
		const { requests, bytes } = await pollQuietly(event, account, 3);
		// A week, a day and the look-back hold 2,455 of them, or a day and two look-backs 375.
		const isLongWindow = event === 'uploadFailed' || event === 'uploadStatusChanged';
		expect(requests).toBeLessThanOrEqual(isLongWindow ? 6 : 1);
		expect(bytes).toBeLessThan(isLongWindow ? 250_000 : 50_000);
	},
);

it('a state does not grow with the polls', async () => {
	const account = new Account();
	const { bytes } = await pollQuietly('uploadCompleted', account, 48, () => {
		account.pass(HOUR);
		account.complete(10, 1);
	});
	expect(bytes).toBeLessThan(40_000);
});

it.each<[string, Partial<History>]>([
	['at 30 requests a minute', { settings: { rateLimit: { requests: 30, perMs: MINUTE } } }],
	['at 1.5 s a request, in durable polling', { durable: true, requestTime: 1500 }],
])(`a back-log of ${BACKLOG} comes out oldest first, %s`, async (_, given) => {
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
	});
});
