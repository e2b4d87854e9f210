/** Long lists of uploads, and how they are read. */
import { onlyInNewestLine } from '../support/engine/lines.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import type { Settings } from '../support/service/settings.mts';
import {
	activated,
	complete,
	completeMany,
	drain,
	expectNext,
	idsOf,
	modes,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

const MANY = 15_000;
/** The most that one poll emits of them. */
const AT_ONCE = 1500;

useVirtualTime();
useSmallService();

/** Makes the service of a test, and returns the IDs of its uploads, one a minute, oldest first. */
function serviceWith(count: number, settings: Partial<Settings> = {}): string[] {
	Object.assign(service.settings, settings);
	return completeMany(count);
}

describe('a poll with nothing new', () => {
	it.each([
		[{}],
		[{ printZone: 'Europe/London' }],
		[{ filterZone: 'Asia/Kolkata' }],
		[{ printZone: 'America/New_York', filterZone: 'Pacific/Kiritimati' }],
		[{ dateForm: 'offset', filterZone: 'America/New_York' } as const],
		[{ fromInclusive: true }],
	])('costs one request, however long the history, with %j', async (settings) => {
		serviceWith(MANY, settings);
		const poller = trigger({ options: { pageSize: 200 } });
		for (let poll = 0; poll < 3; poll++) expect(await idsOf(poller)).toEqual([]);
		for (let poll = 0; poll < 2; poll++) {
			service.clearRequests();
			expect(await idsOf(poller)).toEqual([]);
			expect(service.requests).toHaveLength(1);
		}
	});
});

describe('a backlog', () => {
	it('of 15,000 is emitted oldest first, at a constant cost', async () => {
		onlyInNewestLine();
		const ids = serviceWith(MANY);
		const options = { maxUploadsPerPoll: AT_ONCE, pageSize: 1000 };
		const poller = trigger({ startFrom: 'beginning', output: 'raw', options });
		const emitted: string[] = [];
		const [requests, state]: [number[], number[]] = [[], []];
		while (emitted.length < MANY) {
			service.clearRequests();
			const found = await idsOf(poller);
			expect(found).toHaveLength(AT_ONCE);
			emitted.push(...found);
			requests.push(service.requests.length);
			state.push(JSON.stringify(poller.state).length);
		}
		expect(emitted).toEqual(ids);
		// What this poll and the last one emit, the look-back, and two days.
		expect(Math.max(...requests)).toBeLessThanOrEqual(12);
		expect(Math.max(...state)).toBeLessThan((AT_ONCE + 181) * 100);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('is read whole and in order if no parameter is honoured', async () => {
		const settings = { honourOrderBy: false, honourCompletedTo: false, honourCompletedFrom: false };
		const ids = serviceWith(2000, { ...settings, unsortedDefault: 'shuffled' });
		const poller = trigger({ startFrom: 'beginning', options: { maxUploadsPerPoll: 700 } });
		expect(await drain(poller)).toEqual([ids.slice(0, 700), ids.slice(700, 1400), ids.slice(1400)]);
	});

	it.each([
		{ overlapping: 1, durable: false },
		{ overlapping: 3, durable: true },
	])('stops when half of the time is over, %o', async ({ overlapping, durable }) => {
		// Without a page count, pages are read one after the other.
		const ids = serviceWith(200, { latencyMs: 250, pageFields: 'lastOnly' });
		const parameters = { startFrom: 'beginning', options: { pageSize: 20, lookback: 0 } };
		const poller = trigger(parameters, { durable, budgetMs: 4000 });
		const emitted: string[] = [];
		let polls = 0;
		for (; emitted.length < ids.length; polls++) {
			expect(polls).toBeLessThan(60);
			const polled = Array.from({ length: overlapping }, async () => await idsOf(poller));
			emitted.push(...(await Promise.all(polled)).flat());
		}
		expect(polls).toBeGreaterThan(1);
		expect(emitted).toEqual(ids);
	});

	it('stops when workflows take too long', async () => {
		const ids = serviceWith(400, { latencyMs: 150 });
		const options = { pageSize: 1000, includeWorkflow: true };
		const poller = trigger({ startFrom: 'beginning', options }, { budgetMs: 3000 });
		const polls = await drain(poller);
		expect(polls.length).toBeGreaterThan(1);
		expect(polls.flat()).toEqual(ids);
	});

	it('makes progress with a filter that excludes nearly everything', async () => {
		const ids = serviceWith(1000);
		const last = ids.at(-1) ?? '';
		service.model.updateUpload(last, { status: 'ARCHIVED' });
		const options = { maxUploadsPerPoll: 2, pageSize: 10 };
		const filters = { uploadStatuses: 'ARCHIVED' };
		const poller = trigger({ startFrom: 'beginning', filters, options });
		expect((await drain(poller)).flat()).toEqual([last]);
	});
});

describe("a look-back that takes longer to read than the poll's budget", () => {
	it.each(modes)('is an error with advice, and loses nothing, %o', async (mode) => {
		serviceWith(120, { latencyMs: 100, pageFields: 'lastOnly' });
		// With 60 pages of the look-back one after the other, 6 s.
		const slowly = { options: { pageSize: 2 } };
		const poller = await activated(slowly, { ...mode, budgetMs: 20_000 });
		const states = { staticData: poller.state, globalStaticData: poller.globalState };
		const setup = { ...mode, budgetMs: 2000 };
		const first = trigger(slowly, setup);
		await expect(first.poll()).rejects.toThrow('could not be read in the time');
		const hurried = trigger(slowly, { ...setup, ...states });
		const id = complete();
		const fails = async () => {
			for (let poll = 0; poll < 3; poll++) await hurried.poll();
		};
		await expect(fails()).rejects.toThrow('could not be read in the time');
		hurried.change({ options: { pageSize: 200 } });
		expect(await idsOf(hurried)).toEqual([id]);
	});

	it('needs few polls if pages are read in parallel', async () => {
		completeMany(1500, 1 / 60);
		service.settings.latencyMs = 100;
		const options = { pageSize: 10 };
		const poller = await activated({ options }, { durable: true, budgetMs: 8000 });
		await expectNext(poller);
	});
});
