/** Every way in which a request may fail. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { settlesAfterBadGzip } from '../support/engine/lines.mts';
import type { Fault } from '../support/service/faults.mts';
import type { SimulatedService } from '../support/service/http.mts';

/** How a fault is handled (docs/service.md#errors). */
export type FaultClass =
	| 'temporary'
	| 'throttled'
	| 'tooLong'
	| 'refused'
	| 'unreadable'
	| 'redirect'
	| 'unreachable'
	| 'tokenExpired'
	| 'tokenRefused'
	| 'pastedTokenRefused'
	| 'keyRefused';

/** A fault. */
export interface FaultRow {
	name: string;
	class: FaultClass;
	/** What the service does; absent if no request reaches it. */
	fault?: Fault;
	/** What is wrong in the credential, or with the address in it. */
	credential?: (service: SimulatedService) => ICredentialDataDecryptedObject;
	/** It is tested only at a subject's first place. */
	isOnlyFirst?: true;
	/** Number of requests that it affects; `Infinity` for all. */
	times: number;
	/** The part of the message that is specific to this fault. */
	message?: RegExp;
	/** Timeout of a request in seconds. */
	timeout?: number;
}

type Given = Partial<FaultRow> & Pick<FaultRow, 'class'>;

const row = (name: string, fault: Fault | undefined, given: Given): FaultRow => ({
	name,
	fault,
	times: 1,
	...given,
});

const status = (code: number, headers = {}, body?: unknown): Fault => ({
	kind: 'status',
	status: code,
	headers,
	body,
});
const raw = (body: string, contentType: string): Fault => ({ kind: 'raw', body, contentType });

/** Once and permanently. */
const both = (name: string, fault: Fault, given: Given): FaultRow[] => [
	row(`${name}, once`, fault, given),
	row(`${name}, permanently`, fault, { ...given, times: Infinity }),
];

/** Handled in the same way, so only the first of them is tested at every place. */
const alike = ([first = [], ...others]: FaultRow[][]): FaultRow[] => [
	...first,
	...others.flat().map((each): FaultRow => ({ isOnlyFirst: true, ...each })),
];

const wait = (name: string, code: number, retryAfter: string, given: Partial<FaultRow> = {}) =>
	row(name, status(code, { 'retry-after': retryAfter }), { class: 'throttled', ...given });

const throttling: FaultRow[] = [
	wait('429 with seconds', 429, '0.2'),
	{ ...wait('429 without Retry-After', 429, ''), fault: status(429), isOnlyFirst: true },
	wait('429, permanently', 429, '0.1', {
		times: Infinity,
		message: /rate limit exceeded \(status 429\)/,
	}),
	wait('429, long wait', 429, '3600', { class: 'tooLong', message: /status 429/ }),
	wait('403 quota', 403, '0.2'),
	wait('403 quota, permanently', 403, '0.1', {
		times: Infinity,
		message: /quota exceeded \(status 403\)/,
	}),
	wait('403, long wait', 403, '7200', { class: 'tooLong', message: /status 403/ }),
];

const FAILED = { class: 'temporary' } as const;
const LOST = { class: 'temporary', message: /connection to the service was lost/ } as const;
const SLOW = {
	class: 'temporary',
	message: /did not respond within 1 second/,
	// So short that a poll has time for all attempts.
	timeout: 1,
} as const;

const temporary: FaultRow[] = [
	...alike(
		[408, 500, 503, 520].map((code) => {
			const message = new RegExp(`failed \\(status ${code}\\)`);
			return both(String(code), status(code), { ...FAILED, message });
		}),
	),
	...both('a reset before the response', { kind: 'reset' }, LOST),
	row('a reset after processing', { kind: 'reset', afterProcessing: true }, LOST),
	...both('a response cut off', { kind: 'truncated', how: 'length' }, LOST),
	...both('no response', { kind: 'hang' }, SLOW),
	...both('a response that takes too long', { kind: 'drip', intervalMs: 60 }, SLOW),
];

const unreadable = (name: string, fault: Fault, message: RegExp, times = Infinity): FaultRow =>
	row(name, fault, { class: 'unreadable', message, times });

const badGzip = unreadable(
	'gzip that cannot be decompressed',
	{ kind: 'badGzip' },
	/could not be decompressed/,
);
const unreadableResponses: FaultRow[] = [
	unreadable('cut JSON', { kind: 'truncated', how: 'json' }, /not JSON or was cut off/),
	unreadable(
		'an empty response',
		{ kind: 'raw', body: '', contentType: 'application/json' },
		/it is empty/,
	),
	unreadable('a web page', { kind: 'html' }, /a web page instead of data.*“Sign in”/),
	unreadable('a web page, once', { kind: 'html' }, /a web page instead of data/, 1),
	...(settlesAfterBadGzip ? [badGzip] : []),
	unreadable(
		'an error body',
		raw('{"statusCode":500,"message":"Down"}', 'application/json'),
		/expected .*, got statusCode, message.*“Down”/,
	),
];

const unauthorised = (message: string) => status(401, {}, { statusCode: 401, message });

const unreachable = (
	name: string,
	message: RegExp,
	credential: FaultRow['credential'],
): FaultRow => ({
	...row(name, undefined, { class: 'unreachable', message, times: Infinity }),
	credential,
	isOnlyFirst: true,
});

const rejected = (name: string, what: string, faultClass: FaultClass, said = 'No'): FaultRow =>
	row(name, unauthorised(said), {
		class: faultClass,
		times: Infinity,
		message: new RegExp(`rejected the ${what} \\(401\\)`),
	});

/** All faults, tested with every subject. */
export const faults: readonly FaultRow[] = [
	...throttling,
	...temporary,
	...unreadableResponses,
	...alike(
		[400, 403, 404, 409, 422].map((code) => [
			row(String(code), status(code), {
				class: 'refused',
				message: new RegExp(`\\(${code}\\)`),
				times: Infinity,
			}),
		]),
	),
	unreachable(
		'No connection',
		/service at 127.0.0.1:1 could not be reached, even after 6 attempts.* Check the Base URL/,
		() => ({ baseUrl: 'http://127.0.0.1:1' }),
	),
	unreachable(
		'No secure connection',
		/service at localhost:\d+ could not be reached, even after 6 attempts.* Check the Base URL/,
		({ url }) => ({ baseUrl: url.replace('http://127.0.0.1', 'https://localhost') }),
	),
	row('401, once', unauthorised('Expired'), { class: 'tokenExpired' }),
	rejected('401 with a token endpoint, even with a new token', 'new token as well', 'tokenRefused'),
	rejected('401 with a pasted token', 'access token', 'pastedTokenRefused'),
	rejected(
		'401 for the subscription key',
		'subscription key',
		'keyRefused',
		'Invalid subscription key',
	),
];

const redirect = (code: number, location: string): FaultRow =>
	row(
		`${code} to ${location}`,
		{ kind: 'redirect', status: code, location },
		{
			class: 'redirect',
			times: Infinity,
			message: new RegExp(`redirect( to \\S+)? \\(${code}\\), which was not followed`),
		},
	);

/** Redirects: to another host, to the service itself, and to plain http by another name of a host. */
export const redirects = (other: string): FaultRow[] =>
	alike([
		[redirect(302, other)],
		[redirect(301, '/v1/elsewhere')],
		[redirect(307, other)],
		[redirect(308, other.replace('127.0.0.1', 'localhost'))],
	]);
