import type { ICredentialDataDecryptedObject as Entered, IHttpRequestOptions } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import {
	parseCredential,
	listSecrets,
	toSession,
} from '../../nodes/EngagementUploads/transport/credential.ts';

const BASE = 'https://api.example.com';
const pasted = {
	baseUrl: `${BASE}/v1/`,
	subscriptionApiKey: ' key-0123456789 ',
	authentication: 'accessToken',
	accessToken: 'bearer  token-0123456789\n',
};
const entered = { ...pasted, authentication: 'tokenEndpoint' };
/** The token request if the user enters nothing for it. */
const standard = {
	url: `${BASE}/v1/oauth/token`,
	asJson: false,
	fields: { grant_type: 'vapi_key', key: 'key-0123456789' },
	isStandard: true,
};
const token = { token: 'fetched-0123', clientId: 'fetched-client' };
const fetched = { ...entered, ...toSession(parseCredential(entered), token) };

it('is parsed once, with defaults for what is empty', () => {
	expect(parseCredential(pasted)).toEqual({
		base: 'https://api.example.com',
		zone: 'UTC',
		clientId: '',
		hasClientId: false,
		subscriptionKey: 'key-0123456789',
		token: 'token-0123456789',
	});
	expect(parseCredential(entered).tokenRequest).toMatchObject(standard);
});

it.each<[what: string, over: Entered, means: object]>([
	['no Token URL', { tokenUrl: ' ' }, { url: `${BASE}/v1/oauth/token` }],
	['another Token URL', { tokenUrl: '/identity/token' }, { url: `${BASE}/identity/token` }],
	['an absolute Token URL', { tokenUrl: `${BASE}/token` }, { url: `${BASE}/token` }],
	['JSON as its format', { requestFormat: 'json' }, { asJson: true }],
	['fields', { tokenRequestFields: '{"user": "a"}' }, { fields: { user: 'a' }, isStandard: false }],
	['fields as an object', { tokenRequestFields: { user: 'a' } }, { fields: { user: 'a' } }],
	['no fields', { tokenRequestFields: '' }, standard],
	['fields not filled in', { tokenRequestFields: '{"grant_type": "", "key": ""}' }, standard],
])('has a token request with %s', (_what, over, means) => {
	expect(parseCredential({ ...entered, ...over }).tokenRequest).toMatchObject(means);
});

it.each<[wrong: Entered, message: RegExp]>([
	[{ ...pasted, baseUrl: '' }, /Base URL/],
	[{ ...pasted, subscriptionApiKey: ' ' }, /Subscription Key/],
	[{ ...pasted, accessToken: 'Bearer ' }, /Access Token/],
	[{ ...pasted, timeZone: 'Nowhere' }, /Time Zone “Nowhere”/],
	[{ ...pasted, timeZone: 'EST' }, /Time Zone “EST” .*abbreviation.*Europe\/London/],
	[{ ...pasted, timeZone: 'bst' }, /Time Zone “bst”/],
	[{ ...entered, tokenUrl: 'https://example.org/token' }, /different host .*Enter a path such as/],
	[{ ...entered, tokenRequestFields: '{"key": "hush"' }, /Fields .*are not valid JSON(?!.*hush)/],
])('names what is missing or wrong in %j', (wrong, message) => {
	expect(() => parseCredential(wrong)).toThrow(message);
});

it.each<[edit: Entered, clientId: string]>([
	[{ timeZone: 'Europe/London' }, 'fetched-client'],
	[{ clientId: 'entered' }, 'entered'],
])('keeps the fetched token after the edit %j, with the client ID %s', (edit, clientId) => {
	const known = { token: 'fetched-0123', clientId };
	expect(parseCredential({ ...fetched, ...edit })).toMatchObject(known);
});

it('ignores what belongs to the other way of authentication', () => {
	const both = { accessToken: '', tokenRequestFields: 'no JSON', tokenUrl: 'https://example.org' };
	expect(parseCredential({ ...fetched, accessToken: '' }).token).toBe('fetched-0123');
	expect(parseCredential({ ...pasted, ...both, accessToken: 'a' }).tokenRequest).toBeUndefined();
});

it.each<Entered>([
	{ baseUrl: 'https://other.example.com' },
	{ baseUrl: `${BASE}/eu` },
	{ subscriptionApiKey: 'another-key' },
	{ tokenUrl: '/v2/token' },
	{ requestFormat: 'json' },
	{ tokenRequestFields: '{"user": "a"}' },
])('ignores the token and the client ID that were fetched before the edit %j', (edit) => {
	const { token: known, clientId } = parseCredential(fetched);
	expect([known, clientId]).toEqual(['fetched-0123', 'fetched-client']);
	expect(parseCredential({ ...fetched, ...edit })).toMatchObject({ token: '', clientId: '' });
});

describe('a fetched token counts as none', () => {
	const MINUTE = 60_000;
	const FETCHED_AT = Date.UTC(2026, 2, 1, 10);
	const clocks = { timeOfDay: FETCHED_AT, elapsed: 0 };
	let restore = () => {};
	beforeAll(() => {
		const real = [Date.now, systemClock.now] as const;
		restore = () => ([Date.now, systemClock.now] = real);
		[Date.now, systemClock.now] = [() => clocks.timeOfDay, () => clocks.elapsed];
	});
	afterAll(() => restore());

	let tokens = 0;
	/** Whether a token is there after some milliseconds on each clock; it was first used without any. */
	function isThere(life: number | undefined, timeOfDay: number, elapsed = 0): boolean {
		const fresh = { token: `T${(tokens += 1)}`, fetchedAt: FETCHED_AT, life };
		const stored = { ...entered, ...toSession(parseCredential(entered), fresh) };
		Object.assign(clocks, { timeOfDay: FETCHED_AT, elapsed: 0 });
		expect(parseCredential(stored).token).toBe(fresh.token);
		Object.assign(clocks, { timeOfDay: FETCHED_AT + timeOfDay, elapsed });
		return parseCredential(stored).token === fresh.token;
	}

	it.each<
		[when: string, life: number | undefined, timeOfDay: number, elapsed: number, is: boolean]
	>([
		['not 11 s before its life is over', 30 * MINUTE, 30 * MINUTE - 10_001, 0, true],
		['from 10 s before that', 30 * MINUTE, 30 * MINUTE - 10_000, 0, false],
		['not while it is new', 5000, 10_999, 10_999, true],
		['when it is no longer new', 5000, 11_000, 11_000, false],
		['once the clock is set back behind its fetch', 30 * MINUTE, -MINUTE - 1, MINUTE, false],
		['not if clocks differ a little', 30 * MINUTE, -MINUTE, 0, true],
		['in time, though the clock was set back', 30 * MINUTE, MINUTE, 30 * MINUTE - 10_000, false],
		['never, if nothing tells its life', undefined, 9e9, 9e9, true],
		['never, if that is so and the clock is set back', undefined, -9e9, 0, true],
	])('%s', (_when, life, timeOfDay, elapsed, is) => {
		expect(isThere(life, timeOfDay, elapsed)).toBe(is);
	});

	it('but its client ID is known', () => {
		const known = { ...token, fetchedAt: FETCHED_AT - MINUTE, life: MINUTE };
		const stored = { ...entered, ...toSession(parseCredential(entered), known) };
		Object.assign(clocks, { timeOfDay: FETCHED_AT });
		expect(parseCredential(stored)).toMatchObject({ token: '', clientId: 'fetched-client' });
	});
});

it('has secrets: token, key, and all fields of the token request but grant type and scope', () => {
	const fields = {
		grant_type: 'client_credentials',
		scope: 'read:engagements write:engagements',
		username: 'admin',
		number: 1001,
		nested: { list: ['deep', 'word'] },
	};
	const data = { ...entered, tokenRequestFields: JSON.stringify(fields) };
	const credential = parseCredential({ ...data, ...toSession(parseCredential(data), token) });
	const entries = ['admin', '1001', 'deep', 'word'];
	expect(listSecrets(credential)).toEqual(['fetched-0123', 'key-0123456789', ...entries]);
});

type Options = Partial<IHttpRequestOptions> & { uri?: string };

const authenticate = async (options: Options) => {
	const complete = new EngagementUploadsApi().authenticate;
	if (typeof complete !== 'function') throw new Error('It is not a function');
	return (await complete(pasted, options as IHttpRequestOptions)) as Options;
};

const ADDRESS = `${BASE}/v1/users`;

it.each<[string, Options]>([
	['a path', { url: '/v1/users' }],
	['an address', { url: ADDRESS }],
	['the option name of the older helper', { uri: ADDRESS }],
	['a path below a base', { baseURL: BASE, url: '/v1/users' }],
	['an address next to a base', { baseURL: BASE, url: ADDRESS }],
])('completes %s, and follows no redirect', async (_what, options) => {
	const redirects = { followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
	const headers = { Accept: 'text/csv' };
	expect(await authenticate({ ...options, ...redirects, headers })).toEqual({
		baseURL: undefined,
		url: ADDRESS,
		...('uri' in options && { uri: ADDRESS }),
		...{ followRedirect: false, followAllRedirects: false, maxRedirects: 0 },
		disableFollowRedirect: true,
		headers: {
			Accept: 'text/csv',
			Authorization: 'Bearer token-0123456789',
			'Ocp-Apim-Subscription-Key': 'key-0123456789',
		},
	});
});

it.each<[string, Options]>([
	['url', { url: 'https://example.org/v1/users' }],
	['uri', { uri: 'https://example.org/v1/users' }],
	['baseURL', { baseURL: 'https://example.org', url: '/v1/users' }],
	['a url next to a valid base', { baseURL: BASE, url: '//example.org/v1/users' }],
])('rejects another host in %s', async (_what, options) => {
	await expect(authenticate(options)).rejects.toThrow('goes to a different host');
});
