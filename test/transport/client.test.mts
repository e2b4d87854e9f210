/** What one request of an execution meets holds for the others. */
import { TokenError } from '../../nodes/EngagementUploads/transport/exchange.ts';
import { classifyTokenRequest } from '../../nodes/EngagementUploads/transport/classify.ts';
import { upload } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import type { Call } from '../../nodes/EngagementUploads/transport/request.ts';
import { settled } from '../support/time/anyOrder.mts';
import { TestClock } from '../support/time/testClock.mts';
import { makeClient, FETCHING } from './makeClient.mts';

const GET = { method: 'GET', kind: upload, purpose: 'get it' } as const;
const GOOD = { statusCode: 200, body: { uploadId: 'a' } };
const ALL = 'all others';
const NO_TOKEN = new TokenError('', classifyTokenRequest({ status: 503, headers: {}, body: '' }));
type Answers = Record<string, Error | { statusCode: number; headers?: object; body?: unknown }>;

/** A client that gets these answers by path, how often it asked, and how each request ended. */
function play(
	answers: Answers,
	given: { credential?: typeof FETCHING; cancelSignal?: AbortSignal } = {},
) {
	const clock = new TestClock();
	const asked: string[] = [];
	const send = async (path: string) => {
		asked.push(path);
		const answer = answers[path] ?? answers[ALL] ?? GOOD;
		if (answer instanceof Error) throw answer;
		return await Promise.resolve({ headers: {}, ...answer });
	};
	const client = makeClient({ clock, send, ...given });
	const get = async (path: string, more: Partial<Call> = {}) =>
		await client.record({ ...GET, path, ...more }).then(
			() => 'answered',
			({ message }: Error) => message,
		);
	return { client, clock, asked, get };
}

it("knows the service's time from its latest success", async () => {
	const headers = { date: 'Sun, 01 Mar 2026 10:15:30 GMT' };
	const { client, get } = play({ '/dated': { ...GOOD, headers } });
	expect(client.serviceTime - Date.now()).toBeLessThan(1000);
	await get('/dated');
	await get('/undated');
	expect(client.serviceTime).toBe(Date.parse('2026-03-01T10:15:30Z'));
});

it.each(['stopped', 'cancelled'])(
	'sends nothing more once it is %s, and ends waits',
	async (how) => {
		const cancel = new AbortController();
		const answers = { [ALL]: { statusCode: 503 } };
		const { client, clock, asked, get } = play(answers, { cancelSignal: cancel.signal });
		const [sent, waiting] = [get('/a'), client.wait(600_000)];
		const start = clock.now();
		if (how === 'stopped') client.stop();
		else cancel.abort();
		await expect(waiting).rejects.toThrow('The execution was stopped');
		expect(clock.now() - start).toBeLessThan(1000);
		for (const request of [sent, get('/b')])
			expect(await request).toBe('The execution was stopped');
		// A cancelled request is not even on its way yet.
		expect(asked).toEqual(how === 'stopped' ? ['/a'] : []);
	},
);

it.each([
	[1, { statusCode: 408 }],
	[1, { statusCode: 503 }],
	[6, { statusCode: 429 }],
	[6, NO_TOKEN],
])('tries %i times if only a 429 is to be retried: %p', async (tries, answer) => {
	const { asked, get } = play({ [ALL]: answer });
	const retries: Call['retries'] = ({ status }) => status === 429;
	expect(await get('/a', { retries })).toContain('Could not get it');
	expect(asked).toHaveLength(tries);
});

describe('after an error that concerns all requests', () => {
	it.each([429, 403, 503])('a %i with a long Retry-After: nothing is sent', async (statusCode) => {
		const full = { statusCode, headers: { 'retry-after': '600' } };
		const { clock, asked, get } = play({ '/a': full });
		const until = new RegExp(`accepts no requests until \\d{4}-.*status ${statusCode}`);
		expect(await get('/a')).toMatch(until);
		expect(await get('/b')).toMatch(until);
		expect(await get('/c', { method: 'POST' })).toMatch(until);
		expect(asked).toEqual(['/a']);
		await clock.sleep(600_000);
		expect(await get('/b')).toBe('answered');
	});

	it('the longest of several waits counts', async () => {
		const full = (seconds: string) => ({ statusCode: 429, headers: { 'retry-after': seconds } });
		const { clock, asked, get } = play({ '/a': full('3600'), '/b': full('130') });
		await Promise.all([get('/a'), get('/b')]);
		await clock.sleep(200_000);
		expect(await get('/c')).toContain('accepts no requests until');
		expect(asked).toEqual(['/a', '/b']);
	});

	it.each([429, 503])('a %i: half as many at once, then one more a round', async (statusCode) => {
		const underWay: Array<(answer: object) => void> = [];
		const send = async () => await new Promise<object>((answer) => underWay.push(answer));
		const client = makeClient({ clock: new TestClock(), send });
		const get = async (name: string) => await client.record({ ...GET, path: `/${name}` });
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
	});

	it.each([
		[503, {}],
		[429, { 'retry-after': '60' }],
	])('a %i %j for four minutes ends a run of any size', async (statusCode, headers) => {
		const { clock, asked, get } = play({ [ALL]: { statusCode, headers } });
		const start = clock.now();
		const text = new RegExp(`status ${statusCode}`);
		for (let item = 0; item < 300; item++) expect(await get(`/${item}`)).toMatch(text);
		// Each wait for Retry-After is up to a tenth longer.
		expect(clock.now() - start).toBeLessThanOrEqual(264_000);
		const count = asked.length;
		await clock.sleep(3_600_000);
		expect(await get('/later', { method: 'POST' })).toMatch(text);
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
		expect(asked).toHaveLength(18);
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
		expect(asked).toHaveLength(200 * 7);
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
		const { asked, get } = play(
			{ '/a': { statusCode: 401 }, '/b': { statusCode: 401 } },
			{ credential: FETCHING },
		);
		for (const path of ['/a', '/b'])
			expect(await get(path)).toMatch(/rejected the new token as well/);
		expect(asked).toEqual([...'123456'].map(() => '/a').concat('/b'));
		expect(await get('/c')).toBe('answered');
	});
});
