import type { ICredentialDataDecryptedObject as Entered, IHttpRequestOptions } from 'n8n-workflow';
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
};
const token = { token: 'fetched-0123', clientId: 'fetched-client' };
const fetched = { ...entered, ...toSession(parseCredential(entered), token) };

it('is parsed once, with defaults for what is empty', () => {
	expect(parseCredential(pasted)).toEqual({
		base: 'https://api.example.com',
		zone: 'UTC',
		clientId: '',
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
	['fields', { tokenRequestFields: '{"user": "a"}' }, { fields: { user: 'a' } }],
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

it.each([
	[undefined, true],
	[Date.now() + 60_000, true],
	[Date.now() - 1, false],
])('a fetched token that is used until %p is there: %p; its client ID stays known', (until, is) => {
	const stored = { ...entered, ...toSession(parseCredential(entered), { ...token, until }) };
	const known = { token: is ? token.token : '', clientId: token.clientId };
	expect(parseCredential(stored)).toMatchObject(known);
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
	['a url without a protocol', { url: '//example.org/v1/users' }],
])('rejects another host in %s', async (_what, options) => {
	await expect(authenticate(options)).rejects.toThrow('goes to a different host');
});
