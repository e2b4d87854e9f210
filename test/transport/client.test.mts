/** What one request of an execution meets holds for the others. */
import { TokenError } from '../../nodes/EngagementUploads/transport/exchange.ts';
import { classifyTokenRequest } from '../../nodes/EngagementUploads/transport/failures.ts';
import { upload } from '../../nodes/EngagementUploads/service/records.ts';
import { settled } from '../support/anyOrder.mts';
import { TestClock } from '../support/testClock.mts';
import { makeClient, FETCHING } from './makeClient.mts';

const GOOD = { statusCode: 200, body: { uploadId: 'a' } };

it("knows the service's time from its latest success", async () => {
	const answers = [{ date: 'Sun, 01 Mar 2026 10:15:30 GMT' }, {}];
	const send = async () => await Promise.resolve({ ...GOOD, headers: answers.shift() ?? {} });
	const client = makeClient({ clock: new TestClock(), send });
	expect(client.serviceTime - Date.now()).toBeLessThan(1000);
	for (const path of ['/a', '/b'])
		await client.record({ method: 'GET', path, kind: upload, purpose: 'get it' });
	expect(client.serviceTime).toBe(Date.parse('2026-03-01T10:15:30Z'));
});

it('sends nothing more once it is stopped, and ends waits', async () => {
	const asked: string[] = [];
	const busy = async (path: string) => {
		asked.push(path);
		// The run fails while others wait to try again.
		client.stop();
		return await Promise.resolve({ statusCode: 503, headers: {}, body: {} });
	};
	const client = makeClient({ clock: new TestClock(), send: busy });
	const get = async (path: string) =>
		await client.record({ method: 'GET', path, kind: upload, purpose: 'get it' });
	await expect(get('/a')).rejects.toThrow('The execution was stopped');
	await expect(get('/b')).rejects.toThrow('The execution was stopped');
	expect(asked).toEqual(['/a']);
});

it.each<[attempts: number, status: number, end?: Error]>([
	[1, 408],
	[1, 503],
	[5, 429],
	[5, 503, new TokenError('', classifyTokenRequest({ status: 503, headers: {}, body: '' }))],
])(
	'tries %i times if the caller does without retries of anything but a 429: %i',
	async (...given) => {
		const [attempts, statusCode, error] = given;
		const send = jest.fn(async () => {
			if (error !== undefined) throw error;
			return await Promise.resolve({ statusCode, headers: {}, body: '' });
		});
		const client = makeClient({ clock: new TestClock(), send });
		const request = { method: 'GET', path: '/a', kind: upload, purpose: 'get it' } as const;
		const call = { ...request, retries: ({ status }: { status?: number }) => status === 429 };
		await expect(client.record(call)).rejects.toThrow('Could not get it');
		expect(send).toHaveBeenCalledTimes(attempts);
	},
);

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
		const client = makeClient({
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

	it.each([429, 503])(
		'a %i: half as many requests at once, then one more a round',
		async (statusCode) => {
			const underWay: Array<(answer: object) => void> = [];
			const send = async () => await new Promise<object>((answer) => underWay.push(answer));
			const client = makeClient({ clock: new TestClock(), send });
			const get = async (name: string) =>
				await client.record({ method: 'GET', path: `/${name}`, kind: upload, purpose: 'get it' });
			const all = Promise.all([...'abcdefghijklmnopqrst'].map(get));
			const answerTo = async (count: number, answer: object) => {
				for (const respond of underWay.splice(0, count)) respond({ headers: {}, ...answer });
				await settled();
			};
			await settled();
			expect(underWay).toHaveLength(8);
			// Together, they say no more than one of them.
			await answerTo(8, { statusCode });
			expect(underWay).toHaveLength(4);
			await answerTo(4, GOOD);
			expect(underWay).toHaveLength(4);
			await answerTo(1, GOOD);
			expect(underWay).toHaveLength(5);
			while (underWay.length > 0) await answerTo(underWay.length, GOOD);
			await all;
		},
	);

	it.each([
		[503, {}],
		[429, { 'retry-after': '60' }],
	])('a %i %j for four minutes ends a run of any size', async (statusCode, headers) => {
		const { clock, asked, get } = play({ [ALL]: { statusCode, headers } });
		const start = clock.now();
		const text = new RegExp(`status ${statusCode}`);
		for (let item = 0; item < 300; item++) expect(await get(`/${item}`)).toMatch(text);
		expect(clock.now() - start).toBeLessThan(260_000);
		const count = asked.length;
		await clock.sleep(3_600_000);
		expect(await get('/later', 'POST')).toMatch(text);
		expect(await get('/later')).toContain(
			'nothing more was sent, since no request had succeeded for four minutes: ',
		);
		expect(asked).toHaveLength(count);
	});

	it('a hundred rejections in a row after a success: nothing is sent for a minute', async () => {
		const answers: Answers = { '/good': GOOD, [ALL]: { statusCode: 401 } };
		const { clock, asked, get } = play(answers);
		for (let item = 0; item < 150; item++) {
			if (item === 0 || item === 50) expect(await get('/good')).toBe('answered');
			expect(await get('/bad')).toMatch(/wrong or has expired \(401\)/);
		}
		expect(asked).toHaveLength(152);
		expect(await get('/good')).toContain(
			'nothing more was sent for a minute, since the service had rejected many requests in a row',
		);
		await clock.sleep(60_000);
		expect(await get('/good')).toBe('answered');
	});

	it('failures with a long wait between them are no outage', async () => {
		const answers: Answers = { [ALL]: { statusCode: 503 } };
		const { clock, asked, get } = play(answers);
		for (let look = 0; look < 3; look++) {
			expect(await get('/look')).toMatch(/status 503/);
			await clock.sleep(300_000);
		}
		expect(asked).toHaveLength(15);
		answers[ALL] = GOOD;
		expect(await get('/look')).toBe('answered');
	});

	it('an outage is over with the first success', async () => {
		const answers: Answers = { '/bad': { statusCode: 503 } };
		const { asked, get } = play(answers);
		for (let round = 0; round < 200; round++) {
			expect(await get('/bad')).toMatch(/status 503/);
			expect(await get('/good')).toBe('answered');
		}
		expect(asked).toHaveLength(200 * 6);
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
