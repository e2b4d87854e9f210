import { readFileSync } from 'node:fs';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings, type Settings } from '../support/service/settings.mts';
import { Connection, MAX_REQUESTS } from './connection.mts';
import { assumptions, reportOf, runProbe, type Row } from './probe.mts';
import { readSettings } from './settings.mts';

/** How services of this kind may be, with what can be seen of dates and of what is not as assumed. */
const MOODS: Array<[name: string, mood: Partial<Settings>, seen: Record<string, RegExp>]> = [
	['Spring pages', {}, { 'date form': /^string 9999-99-99T99:99:99$/ }],
	[
		'bare arrays',
		{
			wrapper: 'array',
			pageFields: 'none',
			repeatLastPage: true,
			rejectOrderBy: true,
			honourCompletedTo: false,
			dateForm: 'epoch',
			errorForm: 'text',
		},
		{
			'list wrapper': /^engagements: bare array/,
			'page fields': /^none$/,
			'page numbers': /a repeated page/,
			order: /^completionDate: rejected, status 400/,
			'date form': /^number 9+$/,
			'date filters': /^completedDateTo is ignored$/,
		},
	],
	[
		'capped pages, with offsets',
		{
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
		{
			token: /^200 with access_token, token_type, expires_in$/,
			'list wrapper': /^engagements: `data`/,
			'page fields': /^totalPages, number$/,
			'page size': /^20 by default, 100 of 500, 100 of 2000$/,
			order: /^completionDate: ignored/,
			'last uploads': /^status 404$/,
			'date form': /^string 9999-99-99T99:99:99\+9999$/,
			'zone of filters': /^9 h ahead of the Time Zone$/,
		},
	],
	[
		'items, with sizes',
		{ wrapper: 'items', pageFields: 'sizeOnly', dateForm: 'millisZ' },
		{
			'list wrapper': /^engagements: `items`/,
			'page fields': /^size$/,
			'date form': /^string 9999-99-99T99:99:99\.999Z$/,
		},
	],
	[
		'embedded lists',
		{ wrapper: 'embedded', pageFields: 'nestedPage', dateForm: 'shortFraction' },
		{
			'list wrapper': /^engagements: `_embedded.engagements`, uploads: `_embedded.uploads`/,
			'page fields': /^_embedded, page$/,
			'date form': /^string 9999-99-99T99:99:99(\.9+)?\+99:99(,|$)/,
		},
	],
	[
		'named lists',
		{ wrapper: 'named' },
		{ 'list wrapper': /^engagements: `engagements`, uploads: `uploads`/, 'date form': /./ },
	],
	[
		'lists inside data',
		{ wrapper: 'dataContent', pageFields: 'lastOnly' },
		{
			'list wrapper': /^engagements: `data.content`/,
			'page fields': /^data$/,
			'date form': /./,
		},
	],
];

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

it.each(MOODS)(
	'a service with %s is recognised with few requests, one at a time, that change nothing',
	async (_, mood, expected) => {
		await open(mood);
		const { rows, connection } = await runProbe(settings());
		const shown = rows.filter(({ name, holds }) => holds === false || name === 'date form');
		expect(shown.map(({ name }) => name)).toEqual(Object.keys(expected));
		for (const { name, seen } of shown) expect(seen).toMatch(expected[name] ?? '');
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
