/**
 * Finds out how a request has failed. Invariant: a failure is classified once, with all that follows from it: whether
 * it is retried, what the user reads, and what n8n is told.
 */
import { timeOfDay } from '../values/clock';
import { shorten } from '../values/inputError';
import { isObject } from '../values/objects';
import { isEmpty, toText } from '../values/text';
import { FAILURES, type Failure, type FailureKind, type FailureRow } from './failures';
import type { Answer, HttpResponse } from './n8nHttp';
import { parseRetryAfter, TOKEN_PAUSE } from './retry';

/** How a request was sent. */
interface Sent {
	method?: 'GET' | 'POST';
	/** Whether n8n renews the token after a 401, so that another attempt may succeed. */
	renewsToken?: boolean;
}

/** How a request ended: with an answer, or without a token, since the request for that failed. */
export type Ending = Answer | { tokenFailure: Failure };

/** Classifies an ending that is not what was asked for. */
export function classify(
	ending: Ending,
	{ method = 'GET', renewsToken = false }: Sent = {},
): Failure {
	if ('tokenFailure' in ending) return ending.tokenFailure;
	const isAnswered = 'status' in ending;
	const retryAfter = isAnswered ? parseRetryAfter(ending.headers, timeOfDay()) : undefined;
	const kind = isAnswered ? toKind(ending) : ending.end;
	const { fault, cause, mayPass = false, mayHaveActed = false }: FailureRow = FAILURES[kind];
	const isOutcomeUnknown = method !== 'GET' && mayHaveActed;
	const triesToken = kind === 'unauthorized' && renewsToken;
	const status = isAnswered ? ending.status : undefined;
	return {
		kind,
		status,
		fault,
		cause: isOutcomeUnknown ? 'temporarily-unavailable' : cause,
		isOutcomeUnknown,
		mayPass,
		isRetryable: triesToken || (mayPass && !isOutcomeUnknown),
		asksToSlowDown:
			kind === 'quota' || status === 429 || status === 503 || (mayPass && retryAfter !== undefined),
		retryAfter: triesToken ? TOKEN_PAUSE : retryAfter,
		body: ending.body,
		detail: isAnswered ? detailOf(kind, ending) : ending.detail,
		advice: isAnswered ? undefined : ending.advice,
	};
}

/** Classifies the ending of a request for a token, without which no other request is sent. */
export function classifyTokenRequest(ending: Ending): Failure {
	const failure = classify(ending);
	const { cause = 'credential-invalid' } = failure;
	const fault = cause === 'temporarily-unavailable' ? 'connection' : 'access';
	return { ...failure, cause, fault, isTokenRequest: true };
}

const KINDS_BY_STATUS: Readonly<Record<number, FailureKind>> = {
	400: 'invalid',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'notFound',
	407: 'proxy',
	408: 'failed',
	409: 'conflict',
	422: 'invalid',
	429: 'rateLimited',
	511: 'proxy',
};

function toKind({ status, headers, body }: HttpResponse): FailureKind {
	if (status === 403 && headers['retry-after'] !== undefined) return 'quota';
	const namesKey = /subscription.?key/i.test(toText(body));
	if (namesKey && (status === 401 || status === 403)) return 'keyRejected';
	if (status === 403 && WEB_PAGE.test(toText(body))) return 'firewall';
	if (status === 404 && isUnknownPath(body)) return 'unknownPath';
	if (status < 400) return status < 300 || status === 304 ? 'unreadable' : 'redirect';
	return KINDS_BY_STATUS[status] ?? (status >= 500 ? 'failed' : 'rejected');
}

/** How a web page begins. */
export const WEB_PAGE = /^\s*</;
/** What gateways and web servers say instead of what could not be found; or they repeat the address. */
const NO_PATH = /^(resource not found|no message available)\.?$|\bv1\//i;

/** Whether a 404 is about the address, for which there is nothing, and not about a record. */
function isUnknownPath(body: unknown): boolean {
	if (!isObject(body)) return false;
	const [said] = [body.message, body.detail].filter((text) => !isEmpty(text));
	return said === undefined ? typeof body.path === 'string' : NO_PATH.test(toText(said));
}

function detailOf(kind: FailureKind, { status, headers }: HttpResponse): string {
	return kind === 'redirect' ? readTarget(headers) : `it has no content (${status})`;
}

/** Where a redirect leads, without what only its target may know. */
function readTarget({ location = '' }: Record<string, unknown>): string {
	return shorten(
		toText(location)
			.replace(/[?#].*$/s, '')
			.replace(/\/\/[^/]*@/, '//'),
	);
}
