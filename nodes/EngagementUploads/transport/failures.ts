/**
 * Every way in which a request can fail: a row for each, with what the user reads and what n8n is told. Invariant: a
 * failure is classified once, with all that follows from it.
 */
import type { NodeApiError } from 'n8n-workflow';
import { shorten } from '../values/inputError';
import { toText } from '../values/text';
import type { Answer, HttpResponse } from './n8nHttp';
import { parseRetryAfter, TOKEN_PAUSE, type Retry } from './retry';

/** Why an error occurred, in the form that newer versions of n8n understand. */
export type N8nFailure = NonNullable<NodeApiError['failure']>;

/** What caused a request to fail, which tells which other requests would fail too. */
export type Fault =
	/** what was asked for, which the service rejected (4xx) */
	| 'request'
	/** the service, which failed (408 or 5xx); perhaps because of what was asked for */
	| 'service'
	/** the response: a redirect, or something that cannot be read */
	| 'response'
	/** a list that never ends, however little is asked for */
	| 'list'
	/** no response in time; perhaps because of what was asked for */
	| 'timeout'
	/** the connection; may affect all requests */
	| 'connection'
	/** a token, a key, a quota or a setting: every other request would fail too */
	| 'access';

interface FailureRow {
	/** What happened, as a clause. messages.ts replaces the names in braces. */
	problem: string;
	/** What the user can do. */
	advice: string;
	/** Waiting may help, even if it is not safe to send the same request again. */
	mayPass?: boolean;
	/** The service may have acted on it, so a write is not sent again, and its outcome is unknown. */
	mayHaveActed?: boolean;
	fault: Fault;
	/** What n8n is told. */
	cause?: N8nFailure['cause'];
}

export type FailureKind = keyof typeof FAILURES;

/** What rows have in common if a later attempt may succeed. */
const TEMPORARY = {
	advice: 'Try again later',
	mayPass: true,
	cause: 'temporarily-unavailable',
} as const;
const CHECK_ACCOUNT =
	'Check which permissions your account has in the service, and the Client ID of the credential';

export const FAILURES = {
	rejected: {
		problem: '{to} rejected the request ({status})',
		advice:
			'Check the values entered in this node: they may be invalid, or conflict with existing data',
		fault: 'request',
	},
	notFound: {
		problem: '{to} could not find it ({status})',
		advice:
			'Check the IDs and names entered in this node. If the service finds nothing at all, check the Base URL and the Client ID of the credential',
		fault: 'request',
	},
	forbidden: { problem: '{to} denied access ({status})', advice: CHECK_ACCOUNT, fault: 'request' },
	/** A 401 for a pasted token. */
	tokenRejected: {
		problem: 'the access token is wrong or has expired ({status})',
		advice:
			'Enter a new Access Token in the credential, or let n8n fetch tokens: set Authentication to Automatic',
		fault: 'access',
		cause: 'credential-invalid',
	},
	/** A 401 although n8n has fetched a new token. */
	newTokenRejected: {
		problem: '{to} rejected the new token as well ({status})',
		advice: CHECK_ACCOUNT,
		fault: 'access',
		cause: 'credential-invalid',
	},
	/** A 401 or 403 that names the subscription key. */
	keyRejected: {
		problem: '{to} rejected the subscription key ({status})',
		advice: 'Enter the Subscription Key in the credential again',
		fault: 'access',
		cause: 'credential-invalid',
	},
	/** A 403 that asks to wait, so no permission is missing. */
	quota: {
		...TEMPORARY,
		problem: 'quota of {to} exceeded (status {status}){after}',
		fault: 'access',
		cause: 'quota-exhausted',
	},
	rateLimited: {
		...TEMPORARY,
		problem: 'rate limit of {to} exceeded (status {status}){after}',
		fault: 'access',
		cause: 'rate-limited',
	},
	failed: {
		...TEMPORARY,
		problem: '{to} failed (status {status}){after}',
		mayHaveActed: true,
		fault: 'service',
	},
	redirect: {
		problem: '{to} redirected the request to {detail} ({status})',
		advice: 'Check the Base URL of the credential: it must be the final address of the service',
		// A redirect (303) is the usual response to a write that was carried out.
		mayHaveActed: true,
		fault: 'response',
		cause: 'configuration-invalid',
	},
	unreadable: {
		problem: "{to}'s response could not be read: {detail}",
		advice: 'Check the Base URL of the credential. If it is right, try again later',
		mayHaveActed: true,
		fault: 'response',
		cause: 'temporarily-unavailable',
	},
	unsent: {
		...TEMPORARY,
		problem: '{host} could not be reached{after} ({detail})',
		advice:
			'Check the Base URL of the credential, and the proxy and certificates of the computer that runs n8n; if they are right, try again later',
		fault: 'connection',
	},
	lost: {
		...TEMPORARY,
		problem: 'the connection to {to} was lost{after}',
		mayHaveActed: true,
		fault: 'connection',
	},
	timeout: {
		...TEMPORARY,
		problem: '{to} did not respond within {detail}{after}',
		mayHaveActed: true,
		fault: 'timeout',
	},
	/** Not sent. The detail is a sentence or several: what is wrong, and what to do. */
	blocked: { problem: '{detail}', advice: 'Check the credential', fault: 'access' },
} as const satisfies Record<string, FailureRow>;

/** How a request failed. */
export interface Failure extends Retry, Pick<FailureRow, 'fault' | 'cause' | 'mayPass'> {
	kind: FailureKind;
	/** The status of the response, which may be that to the request for a token. */
	status?: number;
	/** The service may have acted on a write. */
	isOutcomeUnknown?: boolean;
	/** The request for a token failed, so the request itself was not sent. */
	isTokenRequest?: boolean;
	/** The body of the response. */
	body?: unknown;
	/** A reason, a duration or a code, for the message. */
	detail?: string;
	/** What to do, in place of the row's advice. */
	advice?: string;
}

/** How a request ended: with an answer, or without a token, since the request for that failed. */
export type Ending = Answer | { tokenFailure: Failure };

/** How a request was sent. */
interface Sent {
	method?: 'GET' | 'POST';
	/** Whether n8n fetches tokens, so that another attempt after a 401 may succeed. */
	fetchesToken?: boolean;
}

/** Classifies an ending that is not what was asked for. */
export function classify(
	ending: Ending,
	{ method = 'GET', fetchesToken = false }: Sent = {},
): Failure {
	if ('tokenFailure' in ending) return ending.tokenFailure;
	const isAnswered = 'status' in ending;
	const status = isAnswered ? ending.status : undefined;
	const retryAfter = isAnswered ? parseRetryAfter(ending.headers) : undefined;
	const kind = isAnswered ? toKind(ending, fetchesToken) : ending.end;
	const { fault, cause, mayPass = false, mayHaveActed = false }: FailureRow = FAILURES[kind];
	const isOutcomeUnknown = method !== 'GET' && mayHaveActed;
	const triesToken = kind === 'newTokenRejected';
	return {
		kind,
		status,
		fault,
		cause: isOutcomeUnknown ? 'temporarily-unavailable' : cause,
		isOutcomeUnknown,
		mayPass,
		isRetryable: triesToken || (mayPass && !isOutcomeUnknown),
		asksToSlowDown: status === 429 || status === 503 || (mayPass && retryAfter !== undefined),
		retryAfter: triesToken ? TOKEN_PAUSE : retryAfter,
		body: ending.body,
		detail: isAnswered ? readTarget(ending) : ending.detail,
		advice: isAnswered ? undefined : ending.advice,
	};
}

/** Classifies the ending of a request for a token, without which no other request is sent. */
export function classifyTokenRequest(ending: Ending): Failure {
	const failure = classify(ending);
	const { cause = 'credential-invalid' } = failure;
	const fault = cause === 'temporarily-unavailable' ? 'connection' : 'access';
	// It has no token that could be wrong.
	const kind = failure.kind === 'tokenRejected' ? 'rejected' : failure.kind;
	return { ...failure, kind, cause, fault, isTokenRequest: true };
}

const KINDS_BY_STATUS: Readonly<Record<number, FailureKind>> = {
	403: 'forbidden',
	404: 'notFound',
	// What a website answers to a POST at an address that it does not have.
	405: 'notFound',
	408: 'failed',
	429: 'rateLimited',
};

function toKind({ status, headers, body }: HttpResponse, fetchesToken: boolean): FailureKind {
	if (status === 403 && headers['retry-after'] !== undefined) return 'quota';
	if ((status === 401 || status === 403) && /subscription.?key/i.test(toText(body)))
		return 'keyRejected';
	if (status === 401) return fetchesToken ? 'newTokenRejected' : 'tokenRejected';
	if (status < 400) return status < 300 ? 'unreadable' : 'redirect';
	return KINDS_BY_STATUS[status] ?? (status >= 500 ? 'failed' : 'rejected');
}

/** Where a redirect leads, without what only its target may know. */
function readTarget({ status, headers: { location = '' } }: HttpResponse): string {
	if (status < 300) return `it has no content (${status})`;
	const target = toText(location).replace(/[?#].*$/s, '');
	return shorten(target.replace(/\/\/[^/]*@/, '//')) || 'an unknown address';
}
