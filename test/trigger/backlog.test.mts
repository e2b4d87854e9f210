import { onlyInNewestLine } from '../support/engine/lines.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings, type Settings } from '../support/service/settings.mts';
import { drain, idsOf, pollerOf } from '../support/polls.mts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 9, 20, 10);
const MANY = 15_000;
/** The most that one poll emits of them. */
const AT_ONCE = 1500;

useVirtualTime();

let history: SimulatedService;
let service: SimulatedService;

beforeAll(async () => {
	history = await startServiceWith(MANY);
});
afterEach(async () => {
	if (service !== history) await service.close();
});
afterAll(async () => await history.close());

/** A service in which an upload completed every minute until now. */
async function startServiceWith(count: number): Promise<SimulatedService> {
	const started = await startService();
	started.model.setClock(NOW);
	started.model.addConnector({ name: 'cloudbooks' });
	started.model.addEngagement({ id: 1 });
	for (let left = count; left > 0; left -= 1)
		started.model.addCompletedUpload({ completedAt: NOW - left * MINUTE });
	return started;
}

/** Makes the service of a test, and returns the IDs of its uploads, oldest first. */
async function serviceWith(count: number, settings: Partial<Settings> = {}): Promise<string[]> {
	// Tests only read the long history, so one serves them all.
	service = count === MANY ? history : await startServiceWith(count);
	service.clearRequests();
	Object.assign(service.settings, defaultSettings(), settings);
	return service.model.uploads.all.map(({ uploadId }) => uploadId);
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
		await serviceWith(MANY, settings);
		const poller = pollerOf(service, { options: { pageSize: 200 } });
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
		const ids = await serviceWith(MANY);
		const options = { maxUploadsPerPoll: AT_ONCE, pageSize: 1000 };
		const poller = pollerOf(service, { startFrom: 'beginning', output: 'raw', options });
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
		const ids = await serviceWith(2000, { ...settings, unsortedDefault: 'shuffled' });
		const options = { maxUploadsPerPoll: 700 };
		const poller = pollerOf(service, { startFrom: 'beginning', options });
		expect(await drain(poller)).toEqual([ids.slice(0, 700), ids.slice(700, 1400), ids.slice(1400)]);
	});

	it('stops when half of the time is over', async () => {
		const ids = await serviceWith(200, { latencyMs: 250 });
		// Without a page count, pages are read one after the other.
		service.settings.pageFields = 'lastOnly';
		const options = { pageSize: 20, lookback: 0 };
		const poller = pollerOf(service, { startFrom: 'beginning', options }, { budgetMs: 4000 });
		const emitted: string[] = [];
		let polls = 0;
		for (; emitted.length < ids.length; polls++) {
			expect(polls).toBeLessThan(60);
			emitted.push(...(await idsOf(poller)));
		}
		expect(polls).toBeGreaterThan(1);
		expect(emitted).toEqual(ids);
	});

	it('is read on though polls overlap', async () => {
		const ids = await serviceWith(200, { latencyMs: 200, pageFields: 'lastOnly' });
		const parameters = { startFrom: 'beginning', options: { pageSize: 20, lookback: 0 } };
		const poller = pollerOf(service, parameters, { durable: true, budgetMs: 4000 });
		const emitted: string[] = [];
		for (let polls = 0; emitted.length < ids.length; polls++) {
			expect(polls).toBeLessThan(60);
			const overlapping = [idsOf(poller), idsOf(poller), idsOf(poller)];
			emitted.push(...(await Promise.all(overlapping)).flat());
		}
		expect(emitted).toEqual(ids);
	});

	it('stops when workflows take too long', async () => {
		const ids = await serviceWith(400, { latencyMs: 150 });
		const options = { pageSize: 1000, includeWorkflow: true };
		const poller = pollerOf(service, { startFrom: 'beginning', options }, { budgetMs: 3000 });
		const polls = await drain(poller);
		expect(polls.length).toBeGreaterThan(1);
		expect(polls.flat()).toEqual(ids);
	});

	it('makes progress with a filter that excludes nearly everything', async () => {
		const ids = await serviceWith(1000);
		const last = ids.at(-1) ?? '';
		service.model.updateUpload(last, { status: 'ARCHIVED' });
		const options = { maxUploadsPerPoll: 2, pageSize: 10 };
		const filters = { uploadStatuses: 'ARCHIVED' };
		const poller = pollerOf(service, { startFrom: 'beginning', filters, options });
		expect((await drain(poller)).flat()).toEqual([last]);
	});
});

describe("a look-back that takes longer to read than the poll's budget", () => {
	const slow = { latencyMs: 100, pageFields: 'lastOnly' } as const;

	it.each([false, true])(
		'is an error with advice, and loses nothing (durable: %s)',
		async (durable) => {
			await serviceWith(120, slow);
			// With 60 pages of the look-back one after the other, 6 s.
			const slowly = { pageSize: 2 };
			const poller = pollerOf(service, { options: slowly }, { durable, budgetMs: 20_000 });
			await poller.poll();
			const states = { staticData: poller.state, globalStaticData: poller.globalState };
			const setup = { durable, budgetMs: 2000 };
			const first = pollerOf(service, { options: slowly }, setup);
			await expect(first.poll()).rejects.toThrow('could not be read in the time');
			const hurried = pollerOf(service, { options: slowly }, { ...setup, ...states });
			const id = service.model.addCompletedUpload({ completedAt: NOW }).uploadId;
			const fails = async () => {
				for (let poll = 0; poll < 3; poll++) await hurried.poll();
			};
			await expect(fails()).rejects.toThrow('could not be read in the time');
			hurried.change({ options: { pageSize: 200 } });
			expect(await idsOf(hurried)).toEqual([id]);
		},
	);

	it('needs few polls if pages are read in parallel', async () => {
		await serviceWith(0, { latencyMs: 100 });
		for (let count = 0; count < 1500; count++)
			service.model.addCompletedUpload({ completedAt: NOW - count * 1000 });
		const options = { pageSize: 10 };
		const poller = pollerOf(service, { options }, { durable: true, budgetMs: 8000 });
		await poller.poll();
		const id = service.model.addCompletedUpload({ completedAt: NOW }).uploadId;
		expect(await idsOf(poller)).toEqual([id]);
	});
});
