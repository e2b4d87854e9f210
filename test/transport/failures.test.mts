import type { IDataObject } from 'n8n-workflow';

import type { NodeResult } from '../engine/run.mts';
import type { Fault } from '../service/faults.mts';
import type { RecordedRequest } from '../service/log.mts';
import { credentialOf, errorText, run } from '../actions/setup.mts';
import { smallWorld } from '../actions/world.mts';

/*
 * Real retries take seconds, so all cases start together, each with a service of its own, and the
 * tests look at what came of them.
 */

const get = { resource: 'company', operation: 'get', engagementId: 1001 };
const post = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: 1001,
	connectorName: 'cloudbooks',
};
const short = { options: { timeout: 0.25 } };

const status = (code: number, headers: Record<string, string> = {}, body?: unknown): Fault => ({
	kind: 'status',
	status: code,
	headers,
	...(body !== undefined && { body }),
});
const tooMany = (retryAfter?: string): Fault =>
	status(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

interface Case {
	parameters: IDataObject;
	fault: Fault;
	/** Requests that fail; every one unless given. */
	times?: number;
	/** What the error tells; undefined where the node succeeds in the end. */
	tells?: RegExp;
	requests: number;
}

const temporary = [408, 500, 502, 503, 504];
const unknown = /unknown whether the service has done it.*nothing was repeated/s;

const cases: Record<string, Case> = {
	...Object.fromEntries(
		temporary.flatMap(
			(code): Array<[string, Case]> => [
				[`GET, ${code} twice`, { parameters: get, fault: status(code), times: 2, requests: 3 }],
				[
					`GET, ${code} for ever`,
					{
						parameters: get,
						fault: status(code),
						tells: new RegExp(`failed \\(status ${code}\\), also after 5 tries.*Simulated ${code}`),
						requests: 5,
					},
				],
				[`POST, ${code}`, { parameters: post, fault: status(code), tells: unknown, requests: 1 }],
			],
		),
	),
	'GET, reset once': { parameters: get, fault: { kind: 'reset' }, times: 1, requests: 2 },
	'GET, reset for ever': {
		parameters: get,
		fault: { kind: 'reset' },
		tells: /connection to the service broke, also after 5 tries/,
		requests: 5,
	},
	'POST, reset': {
		parameters: post,
		fault: { kind: 'reset', afterProcessing: true },
		tells: unknown,
		requests: 1,
	},
	'GET, hangs once': {
		parameters: { ...get, ...short },
		fault: { kind: 'hang' },
		times: 1,
		requests: 2,
	},
	'GET, hangs for ever': {
		parameters: { ...get, ...short },
		fault: { kind: 'hang' },
		tells: /did not answer within 0.25 seconds, also after 5 tries/,
		requests: 5,
	},
	'POST, hangs': {
		parameters: { ...post, ...short },
		fault: { kind: 'hang', afterProcessing: true },
		tells: /unknown whether.*did not answer within 0.25 seconds/,
		requests: 1,
	},
	'GET, drips once': {
		parameters: { ...get, ...short },
		fault: { kind: 'drip', intervalMs: 50 },
		times: 1,
		requests: 2,
	},
	'POST, drips': {
		parameters: { ...post, ...short },
		fault: { kind: 'drip', intervalMs: 50 },
		tells: /unknown whether.*did not answer within 0.25 seconds/,
		requests: 1,
	},
	'GET, cut off once': {
		parameters: get,
		fault: { kind: 'truncated', how: 'length' },
		times: 1,
		requests: 2,
	},
	'POST, cut off': {
		parameters: post,
		fault: { kind: 'truncated', how: 'length' },
		tells: unknown,
		requests: 1,
	},
	'GET, compressed wrongly': {
		parameters: get,
		fault: { kind: 'badGzip' },
		tells: /answer could not be read: it is not compressed as it says/,
		requests: 1,
	},
	'POST, compressed wrongly': {
		parameters: post,
		fault: { kind: 'badGzip' },
		tells: /unknown whether.*it is not compressed as it says/,
		requests: 1,
	},
	'GET, 429 with seconds': { parameters: get, fault: tooMany('1'), times: 2, requests: 3 },
	'GET, 429 without a word': { parameters: get, fault: tooMany(), times: 1, requests: 2 },
	'GET, 429 for ever': {
		parameters: get,
		fault: tooMany('0.1'),
		tells: /asked too often \(status 429\), also after 5 tries/,
		requests: 5,
	},
	'GET, 429 for long': {
		parameters: get,
		fault: tooMany('3600'),
		tells: /accepts no requests until \d{4}-\d\d-\d\dT\d\d:\d\d/,
		requests: 1,
	},
	'GET, 429 until a far date': {
		parameters: get,
		fault: tooMany('Fri, 01 Jan 2100 00:00:00 GMT'),
		tells: /accepts no requests until 2/,
		requests: 1,
	},
	'POST, 429': { parameters: post, fault: tooMany('0.1'), times: 1, requests: 2 },
	'POST, 429 without a word': { parameters: post, fault: tooMany(), times: 1, requests: 2 },
	'GET, 403 with Retry-After': {
		parameters: get,
		fault: status(403, { 'retry-after': '0.1' }),
		times: 1,
		requests: 2,
	},
	'POST, 403 with Retry-After': {
		parameters: post,
		fault: status(403, { 'retry-after': '0.1' }),
		times: 1,
		requests: 2,
	},
	'GET, 403 with a long Retry-After': {
		parameters: get,
		fault: status(403, { 'retry-after': '7200' }),
		tells: /accepts no requests until/,
		requests: 1,
	},
	'GET, 503 with Retry-After': {
		parameters: get,
		fault: status(503, { 'retry-after': '0.1' }),
		times: 1,
		requests: 2,
	},
};

interface Seen {
	result: NodeResult;
	requests: readonly RecordedRequest[];
	refreshed: number;
}

async function play({ parameters, fault, times = Infinity }: Case): Promise<Seen> {
	const { service } = await smallWorld();
	try {
		service.fail({}, fault, { times });
		const uploads = service.model.uploads.all.length;
		const result = await run(service, parameters);
		const refreshed = service.model.uploads.all.length - uploads;
		return { result, requests: [...service.requests], refreshed };
	} finally {
		await service.close();
	}
}

const played = new Map<string, Promise<Seen>>();

let unreachable: Promise<NodeResult>;

/** Refreshes data at a service that is not there any more. */
async function refreshUnreachable(): Promise<NodeResult> {
	const { service } = await smallWorld();
	const credential = credentialOf(service);
	await service.close();
	return await run(service, post, [{}], { credential });
}

beforeAll(() => {
	unreachable = refreshUnreachable();
	for (const [name, given] of Object.entries(cases)) played.set(name, play(given));
});

const seenOf = async (name: string): Promise<Seen> => {
	const seen = await played.get(name);
	if (seen === undefined) throw new Error(`There is no case ${name}`);
	return seen;
};

it.each(Object.entries(cases))(
	'%s',
	async (name, { tells, requests, parameters }) => {
		const seen = await seenOf(name);
		expect(seen.requests).toHaveLength(requests);
		if (tells === undefined) {
			expect(seen.result.error).toBeUndefined();
			expect(seen.result.items[0]?.json.engagementId).toBe(1001);
		} else {
			expect(errorText(seen.result)).toMatch(tells);
			expect(seen.result.error?.message).toMatch(/^Could not (get the company|refresh the data)/);
			expect(seen.result.items).toEqual([]);
		}
		if (parameters.operation === 'run') expect(seen.refreshed).toBeLessThanOrEqual(1);
	},
	30_000,
);

describe('Retry-After', () => {
	const gaps = ({ requests }: Seen) =>
		requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));

	it('in seconds is waited for', async () => {
		for (const gap of gaps(await seenOf('GET, 429 with seconds'))) {
			expect(gap).toBeGreaterThanOrEqual(990);
			expect(gap).toBeLessThan(2500);
		}
	});

	it.each([
		['the clock of the service', true],
		['the clock of n8n where the service tells no time', false],
	])('as a date is held against %s', async (_what, dateHeader) => {
		const { service } = await smallWorld();
		try {
			service.settings.dateHeader = dateHeader;
			const now = dateHeader ? service.model.now : Math.ceil(Date.now() / 1000) * 1000;
			const until = new Date(now + 1000).toUTCString();
			service.fail({}, tooMany(until));
			const { error } = await run(service, get);
			expect(error).toBeUndefined();
			const [first, second] = service.requests;
			expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
			expect((second?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(2500);
		} finally {
			await service.close();
		}
	});

	it('absent means waits that grow, within bounds', async () => {
		const [first = 0, second = 0, third = 0, fourth = 0] = gaps(await seenOf('GET, 500 for ever'));
		expect(first).toBeGreaterThanOrEqual(240);
		expect(second).toBeGreaterThanOrEqual(490);
		expect(third).toBeGreaterThanOrEqual(990);
		expect(fourth).toBeGreaterThanOrEqual(1990);
		expect(fourth).toBeLessThan(6000);
	}, 30_000);

	it('holds for all requests under way', async () => {
		const { service } = await smallWorld();
		try {
			service.settings.latencyMs = 5;
			service.fail({}, tooMany('1'), { skip: 3 });
			const items = Array.from({ length: 60 }, () => ({}));
			const { items: results, error } = await run(service, get, items);
			expect(error).toBeUndefined();
			expect(results).toHaveLength(60);
			const refused = service.requests.find((request) => request.status === 429);
			const refusedAt = refused?.doneAt ?? 0;
			// What had left before the refusal was read may still arrive.
			const meanwhile = service.requests.filter(
				({ at }) => at > refusedAt + 50 && at < refusedAt + 950,
			);
			expect(meanwhile).toEqual([]);
		} finally {
			await service.close();
		}
	});
});

it('repeats a POST whose connection was never made', async () => {
	const result = await unreachable;
	expect(errorText(result)).toMatch(/could not be reached, also after 5 tries/);
	expect(errorText(result)).not.toContain('unknown');
}, 30_000);
