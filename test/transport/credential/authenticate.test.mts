import type { IHttpRequestOptions } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../../credentials/EngagementUploadsApi.credentials.ts';

const BASE = 'https://api.example.com';
const credential = {
	baseUrl: `${BASE}/v1/`,
	clientId: '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11',
	subscriptionApiKey: ' key-0123456789 ',
	authentication: 'accessToken',
	accessToken: 'Bearer token-0123456789',
};

type Options = Partial<IHttpRequestOptions> & { uri?: string };

const authenticate = async (options: Options) => {
	const complete = new EngagementUploadsApi().authenticate;
	if (typeof complete !== 'function') throw new Error('It is not a function');
	return (await complete(credential, options as IHttpRequestOptions)) as Options;
};

const ADDRESS = `${BASE}/v1/users`;

it.each<[string, Options]>([
	['a path', { url: '/v1/users' }],
	['an address', { url: ADDRESS }],
	['an address with spaces around it', { url: ` ${ADDRESS} ` }],
	['a path below a base', { baseURL: BASE, url: '/v1/users' }],
	['a path below a longer base', { baseURL: `${BASE}/v1/`, url: 'users' }],
	['an address next to a base', { baseURL: BASE, url: ADDRESS }],
])('completes %s', async (_what, options) => {
	const request = await authenticate({ ...options, headers: { Accept: 'text/csv' } });
	expect(request).toMatchObject({
		baseURL: undefined,
		url: ADDRESS,
		headers: {
			Accept: 'text/csv',
			Authorization: 'Bearer token-0123456789',
			'Ocp-Apim-Subscription-Key': 'key-0123456789',
		},
	});
	expect(request).not.toHaveProperty('uri');
});

it('completes the address in the option names of the older helper too, without redirects', async () => {
	const follow = { followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
	expect(await authenticate({ uri: ADDRESS, ...follow })).toMatchObject({
		...{ uri: ADDRESS, url: ADDRESS, disableFollowRedirect: true },
		...{ followRedirect: false, followAllRedirects: false, maxRedirects: 0 },
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
