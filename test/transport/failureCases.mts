import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../service/faults.mts';

/** A read, and below it a write. */
export const get = { resource: 'company', operation: 'get', engagementId: 1001 };
export const post = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: 1001,
	connectorName: 'cloudbooks',
};
const short = { options: { timeout: 2 } };

const status = (code: number, headers: Record<string, string> = {}, body?: unknown): Fault => ({
	kind: 'status',
	status: code,
	headers,
	...(body !== undefined && { body }),
});
/** A refusal that asks to come later. */
export const tooMany = (retryAfter?: string): Fault =>
	status(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

/** What is asked for, what goes wrong, and what must come of it. */
export interface Case {
	parameters: IDataObject;
	fault: Fault;
	/** Requests that fail; every one unless given. */
	times?: number;
	/** What the error tells; undefined where the node succeeds in the end. */
	tells?: RegExp;
	requests: number;
}

const temporary = [408, 500, 502, 503, 504];
const unknown = /unknown whether the service has done it.*nothing was repeated/s;

/** The failure table of the contract, by name. */
export const cases: Record<string, Case> = {
	...Object.fromEntries(
		temporary.flatMap(
			(code): Array<[string, Case]> => [
				[`GET, ${code} twice`, { parameters: get, fault: status(code), times: 2, requests: 3 }],
				[
					`GET, ${code} for ever`,
					{
						parameters: get,
						fault: status(code),
						tells: new RegExp(`failed \\(status ${code}\\), also after 5 tries.*Simulated ${code}`),
						requests: 5,
					},
				],
				[`POST, ${code}`, { parameters: post, fault: status(code), tells: unknown, requests: 1 }],
			],
		),
	),
	'GET, reset once': { parameters: get, fault: { kind: 'reset' }, times: 1, requests: 2 },
	'GET, reset for ever': {
		parameters: get,
		fault: { kind: 'reset' },
		tells: /connection to the service broke, also after 5 tries/,
		requests: 5,
	},
	'POST, reset': {
		parameters: post,
		fault: { kind: 'reset', afterProcessing: true },
		tells: unknown,
		requests: 1,
	},
	'GET, hangs once': {
		parameters: { ...get, ...short },
		fault: { kind: 'hang' },
		times: 1,
		requests: 2,
	},
	'GET, hangs for ever': {
		parameters: { ...get, ...short },
		fault: { kind: 'hang' },
		tells: /did not answer within 2 seconds, also after 5 tries/,
		requests: 5,
	},
	'POST, hangs': {
		parameters: { ...post, ...short },
		fault: { kind: 'hang', afterProcessing: true },
		tells: /unknown whether.*did not answer within 2 seconds/,
		requests: 1,
	},
	'GET, drips once': {
		parameters: { ...get, ...short },
		fault: { kind: 'drip', intervalMs: 50 },
		times: 1,
		requests: 2,
	},
	'POST, drips': {
		parameters: { ...post, ...short },
		fault: { kind: 'drip', intervalMs: 50 },
		tells: /unknown whether.*did not answer within 2 seconds/,
		requests: 1,
	},
	'GET, cut off once': {
		parameters: get,
		fault: { kind: 'truncated', how: 'length' },
		times: 1,
		requests: 2,
	},
	'POST, cut off': {
		parameters: post,
		fault: { kind: 'truncated', how: 'length' },
		tells: unknown,
		requests: 1,
	},
	'GET, compressed wrongly': {
		parameters: get,
		fault: { kind: 'badGzip' },
		tells: /answer could not be read: it is not compressed as it says/,
		requests: 1,
	},
	'POST, compressed wrongly': {
		parameters: post,
		fault: { kind: 'badGzip' },
		tells: /unknown whether.*it is not compressed as it says/,
		requests: 1,
	},
	'GET, 429 with seconds': { parameters: get, fault: tooMany('1'), times: 2, requests: 3 },
	'GET, 429 without a word': { parameters: get, fault: tooMany(), times: 1, requests: 2 },
	'GET, 429 for ever': {
		parameters: get,
		fault: tooMany('0.1'),
		tells: /asked too often \(status 429\), also after 5 tries/,
		requests: 5,
	},
	'GET, 429 for long': {
		parameters: get,
		fault: tooMany('3600'),
		tells: /accepts no requests until \d{4}-\d\d-\d\dT\d\d:\d\d/,
		requests: 1,
	},
	'GET, 429 until a far date': {
		parameters: get,
		fault: tooMany('Fri, 01 Jan 2100 00:00:00 GMT'),
		tells: /accepts no requests until 2/,
		requests: 1,
	},
	'POST, 429': { parameters: post, fault: tooMany('0.1'), times: 1, requests: 2 },
	'POST, 429 without a word': { parameters: post, fault: tooMany(), times: 1, requests: 2 },
	'GET, 403 with Retry-After': {
		parameters: get,
		fault: status(403, { 'retry-after': '0.1' }),
		times: 1,
		requests: 2,
	},
	'POST, 403 with Retry-After': {
		parameters: post,
		fault: status(403, { 'retry-after': '0.1' }),
		times: 1,
		requests: 2,
	},
	'GET, 403 with a long Retry-After': {
		parameters: get,
		fault: status(403, { 'retry-after': '7200' }),
		tells: /accepts no requests until/,
		requests: 1,
	},
	'GET, 503 with Retry-After': {
		parameters: get,
		fault: status(503, { 'retry-after': '0.1' }),
		times: 1,
		requests: 2,
	},
};
