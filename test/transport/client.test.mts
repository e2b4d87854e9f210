/** Requests of one execution: what one of them meets holds for the others. */
import fc from 'fast-check';
import { upload } from '../../nodes/EngagementUploads/api/records.ts';
import type { ServiceClient } from '../../nodes/EngagementUploads/transport/client.ts';
import type { Clock } from '../../nodes/EngagementUploads/values/clock.ts';
import { playOut, settled } from '../support/anyOrder.mts';
import { TestClock } from '../support/testClock.mts';
import { clientOf, FETCHING } from './clientOf.mts';

type Fate = 'record' | 'missing' | 'busy' | 'lost' | { retryAfter: number };

const GOOD = { statusCode: 200, body: { uploadId: 'a' } };
/** Each answer takes this long; in milliseconds. */
const LATENCY = 50;
const STATUSES = { record: 200, missing: 404, busy: 503 };

const fate: fc.Arbitrary<Fate> = fc.oneof(
	fc.constantFrom<Fate>('record', 'record', 'missing', 'busy', 'lost'),
	fc.record({ retryAfter: fc.constantFrom(0, 0.5, 1) }),
);

/** Time passes only while something sleeps; whatever sleeps may wake up too late. */
class LateClock implements Clock {
	private time = 1_000_000;

	constructor(private readonly scheduler: fc.Scheduler) {}

	now = () => this.time;

	async sleep(milliseconds: number): Promise<void> {
		const end = this.time + milliseconds;
		await this.scheduler.schedule(Promise.resolve(), `sleep until ${end}`);
		this.time = Math.max(this.time, end);
	}

	pass(milliseconds: number): void {
		this.time += milliseconds;
	}
}

/** A client, and a service that answers it when the scheduler says so. */
class Exchange {
	readonly client: ServiceClient;
	inFlight = 0;
	/** What was answered to each request. */
	readonly answers = new Map<string, Fate[]>();
	readonly settled = new Map<string, Array<'record' | 'error'>>();
	/** Requests that were sent although the service had asked to wait, or after the end. */
	readonly unwanted: string[] = [];
	private readonly clock: LateClock;
	private readonly end = new AbortController();
	private readonly fates: Fate[];
	/** When the service is ready again, for all requests and for each that failed. */
	private readyAt = 0;
	private readonly repeatAt = new Map<string, number>();

	constructor(
		readonly scheduler: fc.Scheduler,
		fates: readonly Fate[],
		readonly parallel: number,
	) {
		this.fates = [...fates];
		this.clock = new LateClock(scheduler);
		const send = async (path: string) => await this.answer(path);
		const { clock, end } = this;
		this.client = clientOf({ send, clock, parallel, signal: end.signal });
	}

	request(path: string): void {
		this.settled.set(path, []);
		const settle = (how: 'record' | 'error') => this.settled.get(path)?.push(how);
		void this.client.record({ method: 'GET', path, kind: upload, purpose: `get ${path}` }).then(
			({ uploadId }) => settle(uploadId === path ? 'record' : 'error'),
			() => settle('error'),
		);
	}

	/** The execution is cancelled at some time. */
	async cancel(): Promise<void> {
		await this.scheduler.schedule(Promise.resolve(), 'cancel');
		this.end.abort();
	}

	private async answer(path: string): Promise<object> {
		if (this.clock.now() < this.readyAt) this.unwanted.push(`${path} before Retry-After`);
		if (this.clock.now() < (this.repeatAt.get(path) ?? 0)) this.unwanted.push(`${path} too early`);
		if (this.end.signal.aborted) this.unwanted.push(`${path} after the end`);
		this.inFlight++;
		await this.scheduler.schedule(Promise.resolve(), path);
		// Nothing may depend on answers after the end.
		if (this.end.signal.aborted) await new Promise(() => {});
		this.inFlight--;
		this.clock.pass(LATENCY);
		const next = this.fates.shift() ?? 'record';
		const answers = [...(this.answers.get(path) ?? []), next];
		this.answers.set(path, answers);
		const now = this.clock.now();
		this.repeatAt.set(path, now + (typeof next === 'string' ? 125 * 2 ** answers.length : 0));
		if (next === 'lost') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
		if (typeof next === 'string') return { ...this.response(STATUSES[next], path), headers: {} };
		this.readyAt = Math.max(this.readyAt, now + next.retryAfter * 1000);
		return { ...this.response(429, path), headers: { 'retry-after': String(next.retryAfter) } };
	}

	private response(statusCode: number, path: string) {
		return { statusCode, body: JSON.stringify(statusCode === 200 ? { uploadId: path } : {}) };
	}
}

/** Checks a property of exchanges with a number of requests. */
async function always(property: (exchange: Exchange, paths: string[]) => Promise<void>) {
	const arbitrary = fc.asyncProperty(
		fc.scheduler(),
		fc.array(fate, { maxLength: 15 }),
		fc.integer({ min: 1, max: 5 }),
		fc.integer({ min: 1, max: 10 }),
		async (scheduler, fates, parallel, count) => {
			const paths = Array.from({ length: count }, (_, index) => `/${index}`);
			await property(new Exchange(scheduler, fates, parallel), paths);
		},
	);
	await fc.assert(arbitrary);
}

// Jitter would make a failure hard to repeat.
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0.5));
afterEach(() => jest.restoreAllMocks());

it('each request ends once, with no more in flight than allowed, and none before the service is ready', async () => {
	await always(async (exchange, paths) => {
		for (const path of paths) exchange.request(path);
		await playOut(exchange.scheduler, () =>
			expect(exchange.inFlight).toBeLessThanOrEqual(exchange.parallel),
		);
		expect(exchange.unwanted).toEqual([]);
		for (const path of paths) {
			const answers = exchange.answers.get(path) ?? [];
			const last = answers.at(-1);
			// With its own record, or with an error that is final or was repeated.
			expect(exchange.settled.get(path)).toEqual([last === 'record' ? 'record' : 'error']);
			expect(answers.slice(0, -1)).not.toContain('missing');
			if (last !== 'record' && last !== 'missing') expect(answers).toHaveLength(5);
		}
	});
});

it('after a cancellation, nothing is sent, and every request ends', async () => {
	await always(async (exchange, paths) => {
		for (const path of paths) exchange.request(path);
		void exchange.cancel();
		await playOut(exchange.scheduler);
		expect(exchange.unwanted).toEqual([]);
		for (const path of paths) expect(exchange.settled.get(path)).toHaveLength(1);
	});
});

it("knows the service's time from its latest success", async () => {
	const answers = [{ date: 'Sun, 01 Mar 2026 10:15:30 GMT' }, {}];
	const send = async () => await Promise.resolve({ ...GOOD, headers: answers.shift() ?? {} });
	const client = clientOf({ clock: new TestClock(), send });
	expect([client.hasServiceTime, client.serviceTime - Date.now() < 1000]).toEqual([false, true]);
	for (const path of ['/a', '/b'])
		await client.record({ method: 'GET', path, kind: upload, purpose: 'get it' });
	expect(client.serviceTime).toBe(Date.parse('2026-03-01T10:15:30Z'));
});

describe('after an error that concerns all requests', () => {
	type Answers = Record<string, { statusCode: number; headers?: object; body?: unknown }>;
	const ALL = 'all others';

	/** A client that gets these answers by path, how often it asked, and how each request ended. */
	function play(answers: Answers, credential?: typeof FETCHING, deadline?: number) {
		const clock = new TestClock();
		const asked: string[] = [];
		const send = async (path: string) => {
			asked.push(path);
			const { headers = {}, ...answer }: Answers[string] = answers[path] ?? answers[ALL] ?? GOOD;
			return await Promise.resolve({ headers, ...answer });
		};
		const client = clientOf({
			clock,
			send,
			credential,
			deadline: deadline && clock.now() + deadline,
		});
		const get = async (path: string, method: 'GET' | 'POST' = 'GET') =>
			await client.record({ method, path, kind: upload, purpose: `get ${path}` }).then(
				() => 'answered',
				({ message }: Error) => message,
			);
		return { clock, asked, get };
	}

	it.each([429, 403, 503])(
		'a Retry-After over two minutes with a %i: nothing is sent until then',
		async (status) => {
			const { clock, asked, get } = play({
				'/a': { statusCode: status, headers: { 'retry-after': '600' } },
			});
			const until = new RegExp(`accepts no requests until \\d{4}-.*status ${status}`);
			expect(await get('/a')).toMatch(until);
			expect(await get('/b')).toMatch(until);
			expect(await get('/c', 'POST')).toMatch(until);
			expect(asked).toEqual(['/a']);
			await clock.sleep(600_000);
			expect(await get('/b')).toBe('answered');
		},
	);

	it('a shorter one: everybody waits for it, also after a write that is not sent again', async () => {
		const busy = { statusCode: 503, headers: { 'retry-after': '60' } };
		const { clock, get } = play({ '/a': busy });
		const start = clock.now();
		expect(await get('/a', 'POST')).toMatch(/outcome is unknown/);
		expect(await get('/b')).toBe('answered');
		expect(clock.now() - start).toBe(60_000);
	});

	it.each([429, 503])('a %i: fewer requests at once', async (statusCode) => {
		const underWay: Array<(answer: object) => void> = [];
		const send = async () => await new Promise<object>((answer) => underWay.push(answer));
		const client = clientOf({ clock: new TestClock(), send });
		const get = async (name: string) =>
			await client.record({ method: 'GET', path: `/${name}`, kind: upload, purpose: 'get it' });
		const all = Promise.all([...'12345678'].map(get));
		await settled();
		expect(underWay).toHaveLength(8);
		for (const answer of underWay.splice(0)) answer({ statusCode, headers: {} });
		await settled();
		expect(underWay).toHaveLength(4);
		for (; underWay.length > 0; await settled())
			for (const answer of underWay.splice(0)) answer({ ...GOOD, headers: {} });
		await all;
	});

	it('three rejections before any success: nothing is sent for a minute', async () => {
		const { clock, asked, get } = play({ [ALL]: { statusCode: 401 } });
		for (const path of ['/a', '/b', '/c', '/d', '/e'])
			expect(await get(path)).toMatch(/access token is wrong or has expired \(401\)/);
		expect(asked).toEqual(['/a', '/b', '/c']);
		await clock.sleep(60_000);
		await get('/f');
		expect(asked).toHaveLength(4);
	});

	it('a single request that is rejected fails alone, and no later one is tried again for long', async () => {
		const { asked, get } = play({ '/a': { statusCode: 401 }, '/b': { statusCode: 401 } }, FETCHING);
		for (const path of ['/a', '/b'])
			expect(await get(path)).toMatch(/rejected the new token as well/);
		expect(asked).toEqual([...'12345'].map(() => '/a').concat('/b'));
		expect(await get('/c')).toBe('answered');
	});

	it('no attempt begins that has no time until the deadline', async () => {
		const { asked, get } = play(
			{ [ALL]: { statusCode: 429, headers: { 'retry-after': '9' } } },
			undefined,
			9000,
		);
		expect(await get('/a')).toMatch(/accepts no requests until/);
		expect(asked).toHaveLength(1);
	});
});

it('a wait lasts as long as it should, or ends soon after it is of no use any more', async () => {
	const clock = new TestClock();
	const client = clientOf({ clock });
	const start = clock.now();
	await client.wait(1234);
	expect(clock.now() - start).toBe(1234);
	const ending = new AbortController();
	clock.after(5000, () => ending.abort());
	await expect(client.wait(3_600_000, ending.signal)).rejects.toThrow('The execution was stopped');
	expect(clock.now() - start - 1234 - 5000).toBeLessThan(1000);
});
