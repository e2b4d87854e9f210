import {
	parseCredential,
	secretsOf,
	sessionOf,
} from '../../../nodes/EngagementUploads/transport/credential/credential.ts';

const pasted = {
	baseUrl: 'https://api.example.com/v1/',
	subscriptionApiKey: ' key-0123456789 ',
	authentication: 'accessToken',
	accessToken: 'bearer  token-0123456789\n',
};
const entered = { ...pasted, authentication: 'tokenEndpoint' };
const token = { token: 'fetched-0123', clientId: 'fetched-client' };
const fetched = { ...entered, ...sessionOf(parseCredential(entered), token) };

it('is parsed once, with defaults for what is empty', () => {
	expect(parseCredential(pasted)).toEqual({
		base: 'https://api.example.com',
		zone: 'UTC',
		clientId: '',
		subscriptionKey: 'key-0123456789',
		token: 'token-0123456789',
	});
	expect(parseCredential(fetched)).toMatchObject({
		token: 'fetched-0123',
		tokenRequest: {
			url: 'https://api.example.com/v1/oauth/token',
			asJson: false,
			fields: { grant_type: 'vapi_key', key: 'key-0123456789' },
			isStandard: true,
		},
	});
});

it.each([
	['Base URL', { baseUrl: '' }],
	['Subscription Key', { subscriptionApiKey: ' ' }],
	['Access Token', { accessToken: 'Bearer ' }],
	['Time Zone “Nowhere”', { timeZone: 'Nowhere' }],
])('names a missing or wrong %s', (field, over) => {
	expect(() => parseCredential({ ...pasted, ...over })).toThrow(field);
});

it('ignores what belongs to the other way of authentication', () => {
	const both = { accessToken: '', tokenRequestFields: 'no JSON', tokenUrl: 'https://example.org' };
	expect(parseCredential({ ...fetched, accessToken: '' }).token).toBe('fetched-0123');
	expect(parseCredential({ ...pasted, ...both, accessToken: 'a' }).tokenRequest).toBeUndefined();
});

it('takes the client ID of a fetched token with a token endpoint only', () => {
	expect(parseCredential(fetched).clientId).toBe('fetched-client');
	expect(parseCredential({ ...fetched, clientId: 'entered' }).clientId).toBe('entered');
	expect(parseCredential({ ...fetched, ...pasted }).clientId).toBe('');
});

it('has secrets: token, key and the fields of the token request, but no harmless words', () => {
	const fields = {
		grant_type: 'client_credentials',
		username: 'administrator',
		scope: 'read:engagements write:engagements',
		tenant: '9f8e7d6c5b4a',
		mode: 'machine',
		flow: 'client_credentials',
		number: 1001,
		password: 'Pa55-w0rd',
		nested: { list: ['deep-secret-1', 'word'] },
	};
	const data = { ...entered, tokenRequestFields: JSON.stringify(fields) };
	const credential = parseCredential({ ...data, ...sessionOf(parseCredential(data), token) });
	expect(secretsOf(credential)).toEqual([
		'fetched-0123',
		'key-0123456789',
		'Pa55-w0rd',
		'deep-secret-1',
	]);
});
