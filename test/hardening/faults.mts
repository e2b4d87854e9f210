import type { Fault } from '../support/service/faults.mts';
import type { SimResponse } from '../support/service/request.mts';
import { alike, both, json, row, status, type FaultRow } from './faultRow.mts';

const SHORT = 'with a short `Retry-After`';
const QUOTA = `403 ${SHORT} (a quota)`;
const LONG = '429 or 403 with a `Retry-After` over two minutes';

const wait = (name: string, code: number, retryAfter: string, given: Partial<FaultRow> = {}) =>
	row(name, status(code, { 'retry-after': retryAfter }), {
		class: 'throttled',
		group: code === 403 ? QUOTA : `429 ${SHORT}, or none`,
		...given,
	});

const throttling: FaultRow[] = [
	...alike([
		[wait('429 with seconds', 429, '0.2')],
		[
			{
				...wait('429 with a date', 429, ''),
				fault: ({ model }) =>
					status(429, { 'retry-after': new Date(model.now + 1000).toUTCString() }),
			},
			{ ...wait('429 without Retry-After', 429, ''), fault: () => status(429) },
		],
	]),
	...['soon', '-5', 'NaN', '1e9', '0x10', 'Sun, 99 Foo 2026'].map((absurd) =>
		wait(`429 with “${absurd}”`, 429, absurd, { only: 'oncePerKind' }),
	),
	wait('429, permanently', 429, '0.1', {
		times: Infinity,
		message: /rate limit exceeded \(status 429\)/,
	}),
	...alike(
		['3600', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'].map((long) => [
			wait(`429 with “${long}”`, 429, long, {
				class: 'tooLong',
				group: LONG,
				message: /status 429/,
			}),
		]),
	),
	wait('403 quota', 403, '0.2'),
	wait('403 quota, permanently', 403, '0.1', {
		times: Infinity,
		message: /quota exceeded \(status 403\)/,
	}),
	wait('403 quota, long wait', 403, '7200', {
		class: 'tooLong',
		group: LONG,
		message: /status 403/,
	}),
];

const FAILED = { class: 'temporary', group: '408 or any 5xx' } as const;
const LOST = {
	class: 'temporary',
	group: 'The connection is lost, before or after the service has acted, or during the response',
	message: /connection to the service was lost/,
} as const;
const SLOW = {
	class: 'temporary',
	group: 'No complete response within the timeout',
	message: /did not respond within 3 seconds/,
	timeout: 3,
} as const;

const temporary: FaultRow[] = [
	...alike(
		[408, 500, 503, 520].map((code) => {
			const message = new RegExp(`failed \\(status ${code}\\)`);
			return both(String(code), status(code), { ...FAILED, message });
		}),
	),
	row('503 with Retry-After', status(503, { 'retry-after': '0.2' }), {
		...FAILED,
		message: /status 503/,
	}),
	...both('a reset before the response', { kind: 'reset' }, LOST),
	row('a reset after processing', { kind: 'reset', afterProcessing: true }, LOST),
	...both('a response cut off', { kind: 'truncated', how: 'length' }, LOST),
	...both('no response', { kind: 'hang' }, SLOW),
	...both('a response that takes too long', { kind: 'drip', intervalMs: 60 }, SLOW),
];

const unreadableResponses: Array<[string, Fault, RegExp]> = [
	['cut JSON', { kind: 'truncated', how: 'json' }, /not JSON or was cut off/],
	['an empty response', { kind: 'empty' }, /it is empty/],
	['no content (204)', { kind: 'noContent' }, /it is empty/],
	['a web page', { kind: 'html' }, /a web page instead of data.*“Sign in”/],
	['plain text', { kind: 'raw', body: 'OK', contentType: 'text/plain' }, /it is not JSON/],
	['gzip that cannot be decompressed', { kind: 'badGzip' }, /could not be decompressed/],
	['an error body', json('{"statusCode":500,"message":"Down"}'), /it is an error.*“Down”/],
	['a large text', json(JSON.stringify('x'.repeat(1_000_000))), /it is not a (record|list)/],
];

const PADDING = 'x'.repeat(50_000_000);
const UNUSUAL = 'An unusual but readable response: with another content type, or of 50 MB';

const harmless: FaultRow[] = [
	...alike(
		['text/plain', 'text/html', 'application/octet-stream'].map((type) => [
			{
				...row(`a response as ${type}`, undefined, { class: 'harmless', group: UNUSUAL }),
				modify: (response: SimResponse) => ({
					...response,
					headers: { ...response.headers, 'content-type': type },
					body: JSON.stringify(response.body),
				}),
			},
		]),
	),
	{
		...row('a response of 50 MB', undefined, { class: 'harmless', group: UNUSUAL }),
		modify: (response) => ({
			...response,
			// As text, since JSON of this size takes long to make.
			body: JSON.stringify({ ...Object(response.body), padding: '' }).replace(
				/""}$/,
				`"${PADDING}"}`,
			),
		}),
		only: 'oncePerKind',
	},
];

const unreadable: FaultRow[] = [
	...unreadableResponses.map((response) => [...response, Infinity] as const),
	['a web page, once', { kind: 'html' } as const, /a web page instead of data/, 1] as const,
].map(([name, fault, message, times]) =>
	row(name, fault, {
		class: 'unreadable',
		group: 'An unreadable response: empty, cut off, a web page, text, or an error',
		message,
		times,
	}),
);

const unauthorised = (message: string) => status(401, {}, { statusCode: 401, message });

const unreachable: FaultRow[] = (
	[
		[
			'No connection',
			() => ({ baseUrl: 'http://127.0.0.1:1' }),
			/service at 127.0.0.1:1 could not be reached, even after 5 attempts.* Check the Base URL/,
		],
		[
			'No secure connection',
			({ url }) => ({ baseUrl: url.replace('http://127.0.0.1', 'https://localhost') }),
			/no secure connection to the service could be made.* Check the Base URL/,
		],
	] as Array<[string, FaultRow['credential'], RegExp]>
).map(([group, credential, message]) => ({
	...row(group, undefined, { class: 'unreachable', group, message, times: Infinity }),
	credential,
	only: 'firstPlace',
}));

/** All faults, tested with every subject. */
export const faults: readonly FaultRow[] = [
	...throttling,
	...harmless,
	...temporary,
	...unreadable,
	...alike(
		[400, 403, 404, 409, 422].map((code) => [
			row(String(code), status(code), {
				class: 'refused',
				group: '400, 403, 404, 409, 422',
				message: new RegExp(`\\(${code}\\)`),
				times: Infinity,
			}),
		]),
	),
	...unreachable,
	row('401, once', unauthorised('Expired'), {
		class: 'tokenExpired',
		group: '401 with a token endpoint: the token has expired',
	}),
	...(
		[
			[
				'tokenRefused',
				'401 with a token endpoint, even with a new token',
				'No',
				'new token as well',
			],
			['pastedTokenRefused', '401 with a pasted token', 'No', 'access token'],
			[
				'keyRefused',
				'401 for the subscription key',
				'Invalid subscription key',
				'subscription key',
			],
		] as const
	).map(([faultClass, group, said, what]) =>
		row(group, unauthorised(said), {
			class: faultClass,
			group,
			times: Infinity,
			message: new RegExp(`rejected the ${what} \\(401\\)`),
		}),
	),
];

/** Redirects: to the service itself, to another host, and to plain http by another name of it. */
export const redirects = (other: string): FaultRow[] =>
	alike(
		[
			[302, 'another host', other] as const,
			[301, 'the same host', '/v1/elsewhere'] as const,
			[303, 'the same host', '/v1/elsewhere'] as const,
			[307, 'another host', other] as const,
			[308, 'plain http', other.replace('127.0.0.1', 'localhost')] as const,
		].map(([code, where, location]) => [
			row(
				`${code} to ${where}`,
				{ kind: 'redirect', status: code, location },
				{
					class: 'redirect',
					group: 'A redirect, to any host',
					times: Infinity,
					message: new RegExp(`redirect \\(${code}\\), which was not followed`),
				},
			),
		]),
	);
