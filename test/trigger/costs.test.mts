/** How many requests a poll costs, and how large the state gets. */
import type { SimRequest } from '../support/service/request.mts';
import { EVENTS, usual } from './histories/history.mts';
import { LightTrigger } from './histories/lightTrigger.mts';
import { World } from './histories/world.mts';

const HOUR = 3_600_000;

/** A service that counts its requests. */
class Account extends World {
	requests = 0;

	constructor() {
		super(usual, 100);
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

/** The requests of the first poll and of a quiet one later, and the size of the state; `pass` comes between polls. */
async function pollQuietly(event: string, account: Account, earlier = 1, pass = () => {}) {
	return await account.run(async () => {
		const trigger = new LightTrigger(account, { event, output: 'raw' });
		await trigger.poll();
		const first = account.requests;
		for (let polled = 1; polled < earlier; polled++) {
			pass();
			await trigger.poll();
		}
		await trigger.poll();
		account.requests = 0;
		expect(await trigger.poll()).toBeNull();
		return { first, requests: account.requests, bytes: JSON.stringify(trigger.globalState).length };
	});
}

it.each(EVENTS)(
	'the first poll of %s, and a quiet one, cost the pages of their window, and keep no more',
	async (event) => {
		const account = new Account().complete(3000, 10 * 24);
		const { first, requests, bytes } = await pollQuietly(event, account, 3);
		// A week, a day and the look-back hold 2,455 of them, or a day and two look-backs 375.
		const isLongWindow = event === 'uploadFailed' || event === 'uploadStatusChanged';
		expect(requests).toBeLessThanOrEqual(isLongWindow ? 6 : 1);
		// The first poll reads a day more, since it does not know the service's zone.
		expect(first).toBeLessThanOrEqual(isLongWindow ? 6 : 2);
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
