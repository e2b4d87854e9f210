/**
 * Every way in which a request may fail. Each is played for a read and a write, and the first of its class also
 * for a later page and a poll: one function sends all requests. That each operation passes its
 * failure on is tested with the operations.
 */
import { createServer, type AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

import { settlesAfterBadGzip } from '../support/engine/lines.mts';
import { makePoller } from '../support/engine/polls.mts';
import { errorText, run, service } from '../support/engine/runs.mts';
import type { Fault, Match } from '../support/service/faults.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { makeCredential, makeEndpointCredential } from '../support/world/credentials.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useVirtualTime();
useSmallWorld(beforeEach);

let strangers = 0;
const stranger = createServer((socket) => {
	strangers += 1;
	socket.destroy();
});
beforeAll(async () => await new Promise<void>((ready) => stranger.listen(0, '127.0.0.1', ready)));
afterAll(() => stranger.close());

interface Place {
	match: Match;
	parameters: IDataObject;
}

const id = { engagementId: 1001, connectorName: 'cloudbooks' };
const places = {
	read: {
		match: { path: /companyDetails$/ },
		parameters: { ...id, resource: 'company', operation: 'get' },
	},
	write: {
		match: { path: /\/upload$/ },
		parameters: { ...id, resource: 'upload', operation: 'start' },
	},
	page: {
		match: { path: /\/uploads$/, query: { page: '1' } },
		parameters: {
			resource: 'upload',
			operation: 'getAll',
			returnAll: true,
			options: { pageSize: 1 },
		},
	},
	poll: { match: { path: /\/uploads$/ }, parameters: { startFrom: 'beginning' } },
} satisfies Record<string, Place>;

type PlaceName = keyof typeof places;

/** What follows for the read of a record and for a write: how often it is sent, and why it fails in the end, if it does. */
type Outcome = [times: number, fails?: RegExp];
interface Row {
	name: string;
	fault: Fault;
	/** Once, or each time. */
	times: number;
	read: Outcome;
	write: Outcome;
	credential?: () => IDataObject;
	/** Whether it is played everywhere. */
	isEverywhere: boolean;
}

const UNKNOWN = /the outcome is unknown because .*was not retried/s;
const and = (...parts: RegExp[]) =>
	new RegExp(parts.map(({ source }) => `(?=.*${source})`).join(''), 's');
const AFTER_ALL = /, even after 6 attempts/;
const [ONCE, ALWAYS] = [1, Infinity];
const status = (code: number, headers = {}, body?: unknown): Fault => ({
	kind: 'status',
	status: code,
	headers,
	body,
});
const wait = (code: number, seconds: string) => status(code, { 'retry-after': seconds });

/** The rows of a class: what follows from its faults, by whether they occur once or always. */
function rows(
	follows: (times: number, message: RegExp) => Pick<Row, 'read' | 'write'>,
	...faults: Array<[name: string, fault: Fault, message: RegExp, times?: number[]]>
): Row[] {
	return faults.flatMap(([name, fault, message, times = [ONCE, ALWAYS]], index) =>
		times.map((each) => ({
			name: `${name}, ${each === ONCE ? 'once' : 'always'}`,
			...{ fault, times: each, ...follows(each, message), isEverywhere: index === 0 },
		})),
	);
}

const everySeveral = (times: number, message: RegExp): Outcome =>
	times === ONCE ? [2] : [6, and(AFTER_ALL, message)];
const temporary = (times: number, message: RegExp) => ({
	read: everySeveral(times, message),
	write: [1, and(UNKNOWN, message)] satisfies Outcome,
});
const throttled = (times: number, message: RegExp) => ({
	read: everySeveral(times, message),
	write: everySeveral(times, message),
});
const final = (_times: number, message: RegExp) => ({
	read: [1, message] satisfies Outcome,
	write: [1, message] satisfies Outcome,
});
/** The service may have acted on a write. */
const unreadable = (_times: number, message: RegExp) => ({
	read: [1, message] satisfies Outcome,
	write: [1, and(UNKNOWN, message)] satisfies Outcome,
});

const LOST = /connection to the service was lost/;
const refused = [400, 403, 404, 409, 422].map(
	(code) =>
		[String(code), status(code), new RegExp(`\\(${code}\\)(?!.*attempts)`), [ALWAYS]] as [
			string,
			Fault,
			RegExp,
			number[],
		],
);
const redirects = () => {
	const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
	return [url, '/v1/elsewhere', url.replace('127.0.0.1', 'localhost')];
};

const ROWS: Row[] = [
	...rows(
		temporary,
		...[503, 500, 408, 520].map((code): [string, Fault, RegExp] => [
			String(code),
			status(code),
			new RegExp(`failed \\(status ${code}\\)`),
		]),
		['a reset', { kind: 'reset' }, LOST],
		['a reset after processing', { kind: 'reset', afterProcessing: true }, LOST, [ONCE]],
		['a response cut off', { kind: 'truncated' }, LOST],
		['no response', { kind: 'hang' }, /did not respond within 100 seconds/],
		['a response that takes too long', { kind: 'drip', intervalMs: 60 }, /did not respond within/],
	),
	...rows(
		throttled,
		['429 with seconds', wait(429, '0.2'), /rate limit of the service exceeded \(status 429\)/],
		['429', status(429), /status 429/],
		['403 quota', wait(403, '0.2'), /quota of the service exceeded \(status 403\)/],
	),
	...rows(
		final,
		['429, a long wait', wait(429, '3600'), /accepts no requests until .*status 429/, [ONCE]],
		['403, a long wait', wait(403, '7200'), /accepts no requests until .*status 403/, [ONCE]],
	),
	...rows(
		unreadable,
		[
			'cut JSON',
			{ kind: 'raw', body: '{"content":[{', contentType: 'application/json' },
			/it is not JSON, or was cut off/,
			[ALWAYS],
		],
		[
			'nothing',
			{ kind: 'raw', body: '', contentType: 'application/json' },
			/it is empty/,
			[ALWAYS],
		],
		['a web page', { kind: 'html' }, /it is not JSON.*“Sign in”/, [ONCE]],
		[
			'an error',
			status(200, {}, { statusCode: 500, message: 'Down' }),
			/it has no .*“Down”/,
			[ALWAYS],
		],
		...(settlesAfterBadGzip
			? [
					['bad gzip', { kind: 'badGzip' }, /could not be decompressed/, [ALWAYS]] as [
						string,
						Fault,
						RegExp,
						number[],
					],
				]
			: []),
	),
	...rows(final, ...refused),
];

const cells = ROWS.flatMap((row) =>
	(Object.keys(places) as PlaceName[])
		.filter((place) => row.isEverywhere || place === 'read' || place === 'write')
		.map((place) => ({ row, place, name: row.name })),
);

/** Requests at a place, and the message, if it failed. */
async function play(
	place: PlaceName,
	parameters = places[place].parameters,
	credential?: IDataObject,
) {
	const { match }: Place = places[place];
	service.settings.uploadDurationMs = 0;
	service.clearRequests();
	let message = '';
	if (place === 'poll') {
		const poller = makePoller(service, parameters, credential && { credential });
		message = await poller.poll().then(
			() => '',
			(error: Error) => errorText({ error: error as never }),
		);
	} else {
		const result = await run(service, parameters, [{}], credential && { credential });
		if (result.error) message = errorText(result);
	}
	const asked = service.requests.filter(
		({ path, query }) =>
			(match.path as RegExp).test(path) && (match.query?.page ?? '0') === (query.page ?? '0'),
	);
	return { message, times: asked.length };
}

it.each(cells)('$name, for a $place', async ({ row, place }) => {
	service.fail(places[place].match, row.fault, { times: row.times });
	const [times, fails] = place === 'write' ? row.write : row.read;
	const seen = await play(place);
	expect(seen.message).toEqual(fails ? expect.stringMatching(fails) : '');
	if (place === 'read' || place === 'write') expect(seen.times).toBe(times);
});

it.each([302, 301, 307, 308])('a redirect is not followed: %i', async (code) => {
	for (const location of redirects())
		for (const place of ['read', 'write'] as const) {
			service.clearFaults();
			service.fail({}, { kind: 'redirect', status: code, location }, { times: ALWAYS });
			const { message, times } = await play(place);
			expect(message).toMatch(/redirected the request to \S+ \(\d+\)/);
			expect(times).toBe(1);
		}
	expect(strangers).toBe(0);
});

const denied = (message: string) => status(401, {}, { statusCode: 401, message });

it.each<
	[
		what: string,
		Fault,
		times: number,
		message: RegExp | undefined,
		attempts: number,
		usesEndpoint: boolean,
	]
>([
	['an expired token', denied('Expired'), ONCE, undefined, 2, true],
	['a new token', denied('No'), ALWAYS, /rejected the new token as well \(401\)/, 12, true],
	[
		'a pasted token',
		denied('No'),
		ALWAYS,
		/access token is wrong or has expired \(401\)/,
		1,
		false,
	],
	[
		'the key',
		denied('Invalid subscription key'),
		ALWAYS,
		/rejected the subscription key \(401\).*Enter the Subscription Key/,
		1,
		false,
	],
])('a 401 for %s', async (...[, fault, times, message, attempts, usesEndpoint]) => {
	for (const place of ['read', 'write'] as const) {
		service.clearFaults();
		service.fail(places[place].match, fault, { times });
		const credential = usesEndpoint
			? makeEndpointCredential(service, { requestFormat: place === 'read' ? 'form' : 'json' })
			: makeCredential(service);
		expect(await play(place, places[place].parameters, credential)).toEqual({
			message: message ? expect.stringMatching(message) : '',
			times: attempts,
		});
	}
});

it.each([
	[
		'http://127.0.0.1:1',
		/service at 127.0.0.1:1 could not be reached, even after 6 attempts.* Check the Base URL/,
	],
	[
		'https://localhost',
		/service at localhost:\d+ could not be reached, even after 6 attempts.* Check the Base URL/,
	],
])('no connection to %s', async (baseUrl, message) => {
	const own = service.url.replace('http://127.0.0.1', baseUrl);
	for (const place of ['read', 'write'] as const) {
		const credential = makeCredential(service, { baseUrl: baseUrl.endsWith('1') ? baseUrl : own });
		expect((await play(place, places[place].parameters, credential)).message).toMatch(message);
	}
});
