/** What one request of an execution meets holds for the others. */
import { TokenError } from '../../nodes/EngagementUploads/transport/exchange.ts';
import { classifyTokenRequest } from '../../nodes/EngagementUploads/transport/failures.ts';
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

describe('after an error that concerns all requests', () => {
	it.each([429, 403, 503])('a %i with a long Retry-After: nothing is sent', async (statusCode) => {
		const full = { statusCode, headers: { 'retry-after': '600' } };
		const { asked, get } = play({ '/a': full });
		const until = new RegExp(`accepts no requests until \\d{4}-.*status ${statusCode}`);
		expect(await get('/a')).toMatch(until);
		expect(await get('/b')).toMatch(until);
		expect(await get('/c', { method: 'POST' })).toMatch(until);
		expect(asked).toEqual(['/a']);
	});

	it.each([429, 503])('a %i: half as many at once from then on', async (statusCode) => {
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
		while (underWay.length > 0) {
			expect(underWay.length).toBeLessThanOrEqual(4);
			await answerTo(underWay.length, GOOD);
		}
		await all;
	});

	it('a minute of failures without a success: nothing more is sent', async () => {
		const { clock, asked, get } = play({ [ALL]: { statusCode: 503 } });
		const start = clock.now();
		for (let item = 0; item < 30; item++) expect(await get(`/${item}`)).toMatch(/status 503/);
		expect(clock.now() - start).toBeGreaterThan(60_000);
		expect(clock.now() - start).toBeLessThan(120_000);
		const sent = asked.length;
		expect(await get('/later', { method: 'POST' })).toContain(
			'nothing was sent, because earlier requests had failed: the service failed (status 503)',
		);
		expect(asked).toHaveLength(sent);
	});

	it('refusals of what was asked for do not count', async () => {
		const { clock, asked, get } = play({ [ALL]: { statusCode: 404 } });
		for (let item = 0; item < 4; item++) {
			expect(await get(`/${item}`)).toMatch(/404/);
			await clock.sleep(60_000);
		}
		expect(asked).toHaveLength(4);
	});

	it('a success in between shows that the service is there', async () => {
		const { asked, get } = play({ '/bad': { statusCode: 503 } });
		for (let round = 0; round < 30; round++) {
			expect(await get('/bad')).toMatch(/status 503/);
			expect(await get('/good')).toBe('answered');
		}
		expect(asked).toHaveLength(30 * 7);
	});

	it('three rejections of the credential before any success: nothing more is sent', async () => {
		const { asked, get } = play({ [ALL]: { statusCode: 401 } });
		for (const path of ['/a', '/b', '/c', '/d'])
			expect(await get(path)).toMatch(/access token is wrong or has expired \(401\)/);
		expect(asked).toEqual(['/a', '/b', '/c']);
	});

	it('a failed request for a token: nothing more is sent', async () => {
		const { asked, get } = play({ [ALL]: NO_TOKEN });
		for (const path of ['/a', '/b']) expect(await get(path)).toContain('the token endpoint failed');
		expect(asked).toEqual(Array<string>(6).fill('/a'));
	});

	it('after a success, a request that is rejected fails alone, and no later one is tried for long', async () => {
		const { asked, get } = play(
			{ '/a': { statusCode: 401 }, '/b': { statusCode: 401 } },
			{ credential: FETCHING },
		);
		await get('/c');
		for (const path of ['/a', '/b'])
			expect(await get(path)).toMatch(/rejected the new token as well/);
		expect(asked).toEqual(['/c', ...'aaaaaa'].map((name) => name.padStart(2, '/')).concat('/b'));
		expect(await get('/c')).toBe('answered');
	});
});
