/**
 * Every way in which a request can fail: a row for each status and for each failure of the network.
 * Whether it is tried again, what the user reads and what n8n is told follow from its row; retry.ts and
 * describeFailure.ts add only what the row cannot know.
 */
import type { NodeApiError } from 'n8n-workflow';
import { isRedirect, type NetworkFailure, type Outcome } from '../http/exchange';

/** Why an error occurred, as newer n8n versions understand it. */
export type N8nFailure = NonNullable<NodeApiError['failure']>;

export interface FailureRow {
	/** What happened, in a clause. Names in braces stand for what varies (describeFailure.ts). */
	problem: string;
	/** What the user can do. */
	advice: string;
	/** The same if the token endpoint is at fault. */
	tokenAdvice?: string;
	/** Another attempt may succeed. */
	isRetried?: true;
	/** The service may have acted on it: a write is then not sent again, and its outcome is unknown. */
	mayHaveActed?: true;
	/** The service is asked for less from then on. */
	slowsDown?: true;
	/** What is at fault; by default, what was asked for. */
	fault?: Fault;
	/** What n8n is told. */
	cause?: N8nFailure['cause'];
}

/** What is at fault in a failed request, which tells what else would fail. */
export type Fault =
	/** what was asked for: the service rejected it (4xx) */
	| 'request'
	/** the service, which failed (408 or 5xx); perhaps because of what was asked for */
	| 'service'
	/** the response: a redirect, or something that cannot be read */
	| 'response'
	/** the connection, a timeout, or a service that is down for a long time: may affect all requests */
	| 'connection'
	/** a token, a key, a quota or a setting, so that every other request would fail too */
	| 'access';

const TRY_LATER = 'Try again later';
const CHECK_LATER = 'Try again later, and check the Base URL and Token URL of the credential';
const CHECK_BASE_URL = 'Check the Base URL of the credential';
const CHECK_ADDRESSES = 'Check the Base URL and the Token URL of the credential';
const CHECK_VALUES = 'Check the values entered in this node';
const CHECK_IDS = 'Check the IDs and names entered in this node';
const NEW_TOKEN =
	'Enter a new Access Token in the credential, or let n8n fetch tokens: set Authentication to Token Endpoint';
const SHORTEN = 'Enter fewer or shorter values in this node';

/** What the rows of one cause have in common. */
const CREDENTIAL = { fault: 'access', cause: 'credential-invalid' } as const;
const SETTING = { fault: 'access', cause: 'configuration-invalid' } as const;
const CONNECTION = {
	isRetried: true,
	fault: 'connection',
	cause: 'temporarily-unavailable',
} as const;

const FAILED: FailureRow = {
	problem: 'the service failed (status {status}){after}',
	advice: TRY_LATER,
	tokenAdvice: CHECK_LATER,
	isRetried: true,
	mayHaveActed: true,
	fault: 'service',
	cause: 'temporarily-unavailable',
};
const REJECTED: FailureRow = {
	problem: 'the service rejected the request ({status})',
	advice: CHECK_VALUES,
};
const REDIRECT: FailureRow = {
	problem:
		'{to} responded with a redirect ({status}), which was not followed, so that the token and key reach no other host',
	advice: 'Check the Base URL of the credential: it must be the final address of the service',
	tokenAdvice: 'Check the Token URL of the credential: it must be the final address',
	// The usual response to a write that was carried out is a redirect (303).
	mayHaveActed: true,
	fault: 'response',
	cause: 'configuration-invalid',
};

/** The statuses with a row of their own. */
export const STATUSES: Readonly<Record<number, FailureRow>> = {
	400: { problem: 'the service rejected the request as invalid ({status})', advice: CHECK_VALUES },
	401: {
		problem: 'the service rejected the access token ({status})',
		advice: NEW_TOKEN,
		...CREDENTIAL,
	},
	402: {
		problem: 'the service requires payment ({status})',
		advice: 'Check your account with the service',
	},
	403: {
		problem: 'the service denied access ({status})',
		advice: 'Check the permissions and the Client ID of the credential',
	},
	404: {
		problem: 'the service could not find it ({status})',
		advice: `${CHECK_IDS}, and the Base URL of the credential`,
		tokenAdvice: CHECK_ADDRESSES,
	},
	405: {
		problem: 'the service does not allow this kind of request ({status})',
		advice: CHECK_BASE_URL,
		tokenAdvice: CHECK_ADDRESSES,
	},
	407: {
		problem: 'the proxy between n8n and the service requires a login ({status})',
		advice: 'Check the proxy settings of n8n (HTTPS_PROXY)',
		...SETTING,
	},
	408: FAILED,
	409: {
		problem: 'the request conflicts with existing data ({status})',
		advice: 'Check what already exists in the service',
	},
	410: { problem: 'it no longer exists in the service ({status})', advice: CHECK_IDS },
	413: { problem: 'the request is too large for the service ({status})', advice: SHORTEN },
	414: {
		problem: 'the address of the request is too long for the service ({status})',
		advice: SHORTEN,
	},
	422: { problem: 'the service rejected the values ({status})', advice: CHECK_VALUES },
	423: { problem: 'it is locked in the service ({status})', advice: TRY_LATER },
	429: {
		problem: 'rate limit exceeded (status {status}){after}',
		advice: TRY_LATER,
		tokenAdvice: CHECK_LATER,
		isRetried: true,
		slowsDown: true,
		fault: 'access',
		cause: 'rate-limited',
	},
	451: {
		problem: 'the service may not provide it for legal reasons ({status})',
		advice: 'Ask the operator of the service',
	},
	503: { ...FAILED, slowsDown: true },
};

/** A 401 of a token that has expired, or may have; of the key; and of a token that was just fetched. */
export const UNAUTHORIZED = {
	expired: {
		problem: 'the access token expired at {expiry} ({status})',
		advice: NEW_TOKEN,
		...CREDENTIAL,
	},
	opaque: {
		problem: 'the access token is wrong or has expired ({status})',
		advice: NEW_TOKEN,
		...CREDENTIAL,
	},
	key: {
		problem: 'the service rejected the subscription key ({status})',
		advice: 'Enter the Subscription Key in the credential again',
		...CREDENTIAL,
	},
	fetched: {
		problem: 'the service rejected the new token as well ({status})',
		advice: 'Check the Client ID, Token URL and Token Request Fields of the credential',
		...CREDENTIAL,
	},
} as const satisfies Record<string, FailureRow>;

/** A 403 that asks to wait is a quota, not a missing permission. */
export const QUOTA: FailureRow = {
	problem: 'quota exceeded (status {status}){after}',
	advice: TRY_LATER,
	tokenAdvice: CHECK_LATER,
	isRetried: true,
	slowsDown: true,
	fault: 'access',
	cause: 'quota-exhausted',
};

/** All other statuses, each row from this one on. */
export const RANGES: ReadonlyArray<[from: number, row: FailureRow]> = [
	[500, FAILED],
	[400, REJECTED],
	[300, { ...REJECTED, mayHaveActed: true }],
];

/** No response, because of the network. */
export const NETWORK: Readonly<Record<NetworkFailure, FailureRow>> = {
	untrusted: {
		problem: 'no secure connection to {to} could be made{code}',
		advice: 'Check the Base URL of the credential and the certificate of the service',
		...SETTING,
	},
	unsendable: {
		problem: 'the token or key contains an invalid character',
		advice: 'Enter the token and the Subscription Key in the credential again',
		...SETTING,
	},
	proxy: {
		problem: 'the proxy between n8n and {to} closed the connection{after}',
		advice: 'Check the proxy settings of n8n (HTTPS_PROXY), and try again later',
		...CONNECTION,
	},
	unsent: {
		problem: '{host} could not be reached{after}{code}',
		advice: 'Check the Base URL of the credential; if it is correct, try again later',
		tokenAdvice: CHECK_LATER,
		...CONNECTION,
	},
	lost: {
		problem: 'the connection to {to} was lost{after}',
		advice: TRY_LATER,
		tokenAdvice: CHECK_LATER,
		mayHaveActed: true,
		...CONNECTION,
	},
	timeout: {
		problem: '{to} did not respond within {timeout}{after}',
		advice: 'Try again later, or increase Timeout in Options',
		tokenAdvice: CHECK_LATER,
		mayHaveActed: true,
		...CONNECTION,
	},
};

/** A response with a success status that cannot be read. */
export const UNREADABLE: FailureRow = {
	problem: "{to}'s response could not be read: {why}",
	advice: 'Check the Base URL of the credential, and try again later',
	mayHaveActed: true,
	fault: 'response',
	cause: 'temporarily-unavailable',
};

/** An exchange that failed, after the request was sent or while it was. */
export type FailedExchange = Extract<
	Outcome,
	{ status: number } | { network: string } | { unreadable: string }
>;

/** The row of a failed exchange; `asksToWait`: its response has a Retry-After. */
export function rowOf(outcome: FailedExchange, asksToWait: boolean): FailureRow {
	if ('unreadable' in outcome) return UNREADABLE;
	if ('network' in outcome) return NETWORK[outcome.network];
	const { status } = outcome;
	if (isRedirect(status)) return REDIRECT;
	if (status === 403 && asksToWait) return QUOTA;
	return STATUSES[status] ?? RANGES.find(([from]) => status >= from)?.[1] ?? REJECTED;
}
