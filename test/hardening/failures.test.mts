/**
 * How a request may fail on its way through n8n. Each fault is played for a read, and the first of its kind also for a
 * write, a later page and a poll: one function sends all requests. What follows from each status and code is tested with
 * the functions (test/transport/failures.test.mts), and that each operation passes its failure on, with the operations.
 */
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

interface Place {
	match: Match;
	parameters: IDataObject;
}

const id = { engagementId: 1001, connectorName: 'cloudbooks' };
const all = { resource: 'upload', operation: 'getAll', returnAll: true, options: { pageSize: 1 } };
const places = {
	read: {
		match: { path: /companyDetails$/ },
		parameters: { ...id, resource: 'company', operation: 'get' },
	},
	write: {
		match: { path: /\/upload$/ },
		parameters: { ...id, resource: 'upload', operation: 'start' },
	},
	page: { match: { path: /\/uploads$/, query: { page: '1' } }, parameters: all },
	poll: { match: { path: /\/uploads$/ }, parameters: { startFrom: 'beginning' } },
} satisfies Record<string, Place>;

type PlaceName = keyof typeof places;

/** How often a request is sent at a place, and the message, if it fails. */
async function play(place: PlaceName, credential: IDataObject = makeCredential(service)) {
	const { match, parameters }: Place = places[place];
	service.settings.uploadDurationMs = 0;
	service.clearRequests();
	let message = '';
	if (place === 'poll') {
		const poller = makePoller(service, parameters, { credential });
		await poller.poll().catch((error: Error) => (message = error.message));
	} else {
		const result = await run(service, parameters, [{}], { credential });
		message = result.error ? errorText(result) : '';
	}
	const asked = service.requests.filter(
		({ path, query }) =>
			(match.path as RegExp).test(path) && (match.query?.page ?? '0') === (query.page ?? '0'),
	);
	return { message, times: asked.length };
}

const status = (code: number, headers = {}, body?: unknown): Fault => {
	return { kind: 'status', status: code, headers, body };
};
const UNKNOWN = /^[^:]+: the outcome is unknown because .*was not retried/s;
const LOST = /connection to the service was lost/;

interface Row {
	name: string;
	fault: Fault;
	message: RegExp;
	/** How often a read is sent that always fails, and a write. */
	times: [read: number, write: number];
	isUnknown: boolean;
	isEverywhere: boolean;
}

type Faults = Array<[name: string, fault: Fault, message: RegExp]>;

/** The rows of a kind of faults. */
const rows = (times: Row['times'], isUnknown: boolean, ...faults: Faults): Row[] =>
	faults.map(([name, fault, message], index) => {
		return { name, fault, message, times, isUnknown, isEverywhere: index === 0 };
	});

const badGzip: Faults = [['bad gzip', { kind: 'badGzip' }, /could not be decompressed/]];
const ROWS = [
	...rows(
		[6, 1],
		true,
		['503', status(503), /the service failed \(status 503\)/],
		['a reset', { kind: 'reset' }, LOST],
		['a response cut off', { kind: 'truncated' }, LOST],
		['no response', { kind: 'hang' }, /did not respond within 100 seconds/],
		['a response that takes too long', { kind: 'drip', intervalMs: 60 }, /did not respond within/],
	),
	...rows([6, 6], false, [
		'429',
		status(429, { 'retry-after': '0.2' }),
		/status 429\), even after/,
	]),
	...rows([1, 1], false, ['404', status(404), /could not find it \(404\)(?!.*attempts)/]),
	...rows(
		[1, 1],
		true,
		['a web page', { kind: 'html' }, /it is not JSON, or was cut off.*“Sign in”/],
		['an error', status(200, {}, { statusCode: 500, message: 'Down' }), /it has no .*“Down”/],
		[
			'a redirect',
			{ kind: 'redirect', location: '/v1/elsewhere' },
			/redirected the request to \S+ \(302\)/,
		],
		...(settlesAfterBadGzip ? badGzip : []),
	),
];
const cells = ROWS.flatMap((row) =>
	(Object.keys(places) as PlaceName[])
		.filter((place) => row.isEverywhere || place === 'read')
		.map((place) => ({ row, place, name: row.name })),
);

it.each(cells)('$name, always, for a $place', async ({ row, place }) => {
	service.fail(places[place].match, row.fault, { times: Infinity });
	const { message, times } = await play(place);
	expect(times).toBe(row.times[place === 'write' ? 1 : 0]);
	expect(message).toMatch(row.message);
	if (place === 'write' && row.isUnknown) expect(message).toMatch(UNKNOWN);
	else expect(message).not.toContain('unknown');
});

it.each<PlaceName>(['read', 'page', 'poll'])('one 503 costs a %s nothing', async (place) => {
	service.fail(places[place].match, status(503));
	expect(await play(place)).toEqual({ message: '', times: 2 });
});

it('a write whose response is lost is not sent again, though the service has acted', async () => {
	service.fail(places.write.match, { kind: 'reset', afterProcessing: true });
	expect(await play('write')).toEqual({ message: expect.stringMatching(UNKNOWN), times: 1 });
});

const denied = (message: string) => status(401, {}, { statusCode: 401, message });

it.each<[what: string, Fault, times: number, message: RegExp, attempts: number]>([
	['an expired token', denied('Expired'), 1, /^$/, 2],
	['a new token', denied('No'), Infinity, /rejected the new token as well \(401\)/, 12],
])('a 401 for %s', async (_what, fault, times, message, attempts) => {
	for (const place of ['read', 'write'] as const) {
		service.clearFaults();
		service.fail(places[place].match, fault, { times });
		expect(await play(place, makeEndpointCredential(service))).toEqual({
			message: expect.stringMatching(message),
			times: attempts,
		});
	}
});

it.each(['http://127.0.0.1:1', 'https://localhost'])('no connection to %s', async (host) => {
	const baseUrl = host.endsWith('1') ? host : service.url.replace('http://127.0.0.1', host);
	for (const place of ['read', 'write'] as const) {
		const { message } = await play(place, makeCredential(service, { baseUrl }));
		expect(message).toMatch(/service at \S+:\d+ could not be reached, even after 6 attempts/);
		expect(message).not.toContain('unknown');
	}
});
