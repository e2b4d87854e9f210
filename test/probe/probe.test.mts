import { readFileSync } from 'node:fs';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings, type Settings } from '../support/service/settings.mts';
import { Connection, MAX_REQUESTS } from './connection.mts';
import { assumptions, reportOf, runProbe, type Row } from './probe.mts';
import { readSettings } from './settings.mts';

/** How services of this kind may be. */
const MOODS: Record<string, Partial<Settings>> = {
	'Spring pages': {},
	'bare arrays': {
		wrapper: 'array',
		pageFields: 'none',
		repeatLastPage: true,
		rejectOrderBy: true,
		honourCompletedTo: false,
		dateForm: 'epoch',
		errorForm: 'text',
	},
	'capped, with offsets': {
		wrapper: 'data',
		pageFields: 'totalPagesAndNumber',
		maxPageSize: 100,
		honourOrderBy: false,
		dateForm: 'offset',
		printZone: 'Asia/Tokyo',
		strictLastUploads: true,
		tokenCarriesClientId: false,
		errorForm: 'problem',
	},
};
/** Findings that are not as assumed in each mood, and what can be seen of them. */
const DIFFERENT: Record<string, Record<string, RegExp>> = {
	'Spring pages': {},
	'bare arrays': {
		'list wrapper': /^engagements: bare array/,
		'page fields': /^none$/,
		'page numbers': /a repeated page/,
		order: /^completionDate: rejected, status 400/,
		'date filters': /^completedDateTo is ignored$/,
	},
	'capped, with offsets': {
		token: /^200 with access_token, token_type, expires_in$/,
		'list wrapper': /^engagements: `data`/,
		'page fields': /^totalPages, number$/,
		'page size': /^20 by default, 100 of 500, 100 of 2000$/,
		order: /^completionDate: ignored/,
		'last uploads': /^status 404$/,
		'zone of filters': /^9 h ahead of the Time Zone$/,
	},
};

let service: SimulatedService;
let expiredToken: string;

async function open(mood: Partial<Settings> = {}): Promise<void> {
	service = await startService({ sample: true, settings: { ...defaultSettings(), ...mood } });
	expiredToken = service.issueToken();
	service.expireTokens();
	const id = service.model.engagements.all[0]?.id ?? 0;
	const failed = service.model.addCompletedUpload({ engagementId: id });
	service.model.updateUpload(failed.uploadId, { status: 'FAILED', completedAt: null });
	service.model.addCompletedUpload({ engagementId: id + 1 });
}

afterEach(async () => await service.close());

function settings(more: NodeJS.ProcessEnv = {}) {
	return readSettings({
		PROBE_BASE_URL: service.url,
		PROBE_SUBSCRIPTION_KEY: service.subscriptionKey,
		PROBE_CLIENT_ID: service.clientId,
		PROBE_TOKEN_FIELDS: JSON.stringify(service.tokenRequestFields),
		PROBE_EXPIRED_TOKEN: expiredToken,
		...more,
	});
}

const rowOf = (rows: Row[], name: string) => rows.find((row) => row.name === name);

it.each(Object.keys(MOODS))(
	'a service with %s is recognised with few requests, one at a time, that change nothing',
	async (mood) => {
		await open(MOODS[mood]);
		const { rows, connection } = await runProbe(settings());
		const different = rows.filter(({ holds }) => holds === false);
		const expected = DIFFERENT[mood] ?? {};
		expect(different.map(({ name }) => name)).toEqual(Object.keys(expected));
		for (const { name, seen } of different) expect(seen).toMatch(expected[name] ?? '');
		const methods = service.requests.map(({ method }) => method);
		expect(methods).toEqual(['POST', ...Array<string>(methods.length - 1).fill('GET')]);
		expect(methods.length).toBeLessThanOrEqual(MAX_REQUESTS);
		expect(connection.requests).toBe(methods.length);
		expect(service.mostAtOnce).toBe(1);
	},
);

it('a service that echoes secrets reveals none', async () => {
	await open();
	const { subscriptionKey, tokenRequestFields } = service;
	const fault = {
		kind: 'status',
		status: 404,
		body: { message: `Key ${subscriptionKey}` },
	} as const;
	service.fail({ path: '/v1/no-such-path' }, fault);
	const { rows, connection } = await runProbe(settings());
	expect(rowOf(rows, 'unknown path')?.means).toContain('Key ');
	const shown = reportOf(rows, connection);
	for (const secret of [subscriptionKey, expiredToken, tokenRequestFields.key])
		expect(shown).not.toContain(secret);
});

it(`there is no request after ${MAX_REQUESTS}`, async () => {
	await open();
	const connection = new Connection(settings());
	const ask = async (page: number) => await connection.get(`/v1/?page=${page}`, '', 'account');
	for (let page = 1; page <= MAX_REQUESTS; page += 1) await ask(page);
	await expect(ask(0)).rejects.toThrow(`${MAX_REQUESTS} requests were made`);
	expect(service.requests).toHaveLength(MAX_REQUESTS);
});

it('a rate limit ends the probe', async () => {
	await open();
	const fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } } as const;
	service.fail({ path: /users$/ }, fault);
	const { rows } = await runProbe(settings());
	expect(service.requests).toHaveLength(4);
	expect(rowOf(rows, 'wrong token')?.seen).toBe(
		'not tried: the service limits requests (status 429)',
	);
});

it.each([
	[{ PROBE_BASE_URL: undefined }, 'PROBE_BASE_URL is missing'],
	[{ PROBE_BASE_URL: 'http://api.acme.io' }, 'PROBE_BASE_URL: The Base URL'],
	[{ PROBE_SUBSCRIPTION_KEY: ' ' }, 'PROBE_SUBSCRIPTION_KEY is missing'],
	[{ PROBE_ACCESS_TOKEN: 'x', PROBE_CLIENT_ID: '' }, 'PROBE_CLIENT_ID is missing'],
	[{ PROBE_TOKEN_FIELDS: '{"key": s3cret}' }, 'PROBE_TOKEN_FIELDS: The Token Request Fields'],
	[{ PROBE_TOKEN_URL: 'https://acme.io/token' }, 'PROBE_TOKEN_URL: '],
	[{ PROBE_TIME_ZONE: 'Mars' }, 'PROBE_TIME_ZONE: The Time Zone'],
])('%j is rejected, naming the variable', async (environment, message) => {
	await open();
	expect(() => settings(environment)).toThrow(message);
});

it('docs/service.md marks every assumption that is checked, and no other', () => {
	const marks = readFileSync('docs/service.md', 'utf8').matchAll(/\*\(probe: ([^)]+)\)\*/g);
	const marked = new Set([...marks].flatMap(([, names = '']) => names.split(', ')));
	marked.delete('name');
	expect([...marked].sort()).toEqual(assumptions.map(({ name }) => name).sort());
});
