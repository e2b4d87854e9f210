/**
 * Every way in which a request can fail: a row for each, with what the user reads and what n8n is told. Which one
 * a response is, classify.ts decides.
 */
import type { NodeApiError } from 'n8n-workflow';
import type { Retry } from './retry';

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

export interface FailureRow {
	/** What happened, as a clause. messages.ts replaces the names in braces. */
	problem: string;
	/** What the user can do. */
	advice: string;
	/** Replaces `advice` if the request for a token failed in this way. */
	tokenAdvice?: string;
	/** The request did not reach the service, or the token endpoint: `advice` holds for both. */
	isOnTheWay?: true;
	/** Waiting may help, even if it is not safe to send the same request again. */
	mayPass?: boolean;
	/** The service may have acted on it, so a write is not sent again, and its outcome is unknown. */
	mayHaveActed?: boolean;
	fault: Fault;
	/** What n8n is told. */
	cause?: N8nFailure['cause'];
}

export type FailureKind = keyof typeof FAILURES;

const CHECK_LATER = 'Try again later, and check the Base URL and Token URL of the credential';
const CHECK_VALUES = 'Check the values entered in this node';
const CHECK_ADDRESSES = 'Check the Base URL and the Token URL of the credential';

/** What rows have in common if a later attempt may succeed. */
const TEMPORARY = {
	advice: 'Try again later',
	tokenAdvice: CHECK_LATER,
	mayPass: true,
	cause: 'temporarily-unavailable',
} as const;

export const FAILURES = {
	invalid: {
		problem: '{to} rejected the request as invalid ({status})',
		advice: CHECK_VALUES,
		fault: 'request',
	},
	unauthorized: {
		problem: '{rejection} ({status})',
		advice:
			'Enter a new Access Token in the credential, or let n8n fetch tokens: set Authentication to Subscription Key',
		fault: 'access',
		cause: 'credential-invalid',
	},
	/** A 401 or 403 that names the subscription key. */
	keyRejected: {
		problem: '{to} rejected the subscription key ({status})',
		advice: 'Enter the Subscription Key in the credential again',
		tokenAdvice:
			'Enter the Subscription Key in the credential again. If it is right, check the Token URL and Token Request Fields',
		fault: 'access',
		cause: 'credential-invalid',
	},
	forbidden: {
		problem: '{to} denied access ({status})',
		advice: 'Check which permissions your account has in the service{client}',
		fault: 'request',
	},
	/** A 403 with a web page. */
	firewall: {
		problem: 'a firewall in front of {to} denied access ({status})',
		advice:
			'A firewall or proxy sent this, not the service itself: ask whoever runs it to let requests from n8n through',
		isOnTheWay: true,
		fault: 'request',
	},
	/** A 403 that asks to wait, so no permission is missing. */
	quota: {
		...TEMPORARY,
		problem: 'quota exceeded (status {status}){after}',
		fault: 'access',
		cause: 'quota-exhausted',
	},
	notFound: {
		problem: '{to} could not find it ({status})',
		advice: 'Check the IDs and names entered in this node{entered}{elsewhere}',
		tokenAdvice: CHECK_ADDRESSES,
		fault: 'request',
	},
	/** A 404 of a gateway or server that knows no such address. */
	unknownPath: {
		problem: '{to} could not find it ({status})',
		advice:
			'Check the Base URL of the credential: there is no such address below it. Enter the address of the API, without /v1 and what follows',
		tokenAdvice: CHECK_ADDRESSES,
		fault: 'request',
	},
	conflict: {
		problem: 'the request conflicts with existing data ({status})',
		advice: 'Check what already exists in the service',
		fault: 'request',
	},
	rejected: {
		problem: '{to} rejected the request ({status})',
		advice: `${CHECK_VALUES}, and the Base URL of the credential`,
		tokenAdvice: CHECK_ADDRESSES,
		fault: 'request',
	},
	/** 407, or 511: a network that asks for a sign-in. Neither is the service's. */
	proxy: {
		problem: 'a proxy between n8n and {to} rejected the request ({status})',
		advice:
			"Check n8n's proxy settings: the environment variables HTTP_PROXY and HTTPS_PROXY contain the proxy's address, user name and password. If the network requires you to sign in, do so on the computer that runs n8n",
		isOnTheWay: true,
		fault: 'access',
		cause: 'configuration-invalid',
	},
	rateLimited: {
		...TEMPORARY,
		problem: 'rate limit exceeded (status {status}){after}',
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
		problem:
			'{to} responded with a redirect{where} ({status}), which was not followed, since the token and key must not reach any other host',
		advice: 'Check the Base URL of the credential: it must be the final address of the service',
		tokenAdvice: 'Check the Token URL of the credential: it must be the final address',
		// A redirect (303) is the usual response to a write that was carried out.
		mayHaveActed: true,
		fault: 'response',
		cause: 'configuration-invalid',
	},
	unreadable: {
		problem: "{to}'s response could not be read: {detail}",
		advice: 'Check the Base URL of the credential, and try again later',
		tokenAdvice: 'Check the Token URL of the credential',
		mayHaveActed: true,
		fault: 'response',
		cause: 'temporarily-unavailable',
	},
	unsent: {
		...TEMPORARY,
		problem: '{host} could not be reached{after} ({detail})',
		advice:
			'Check the Base URL of the credential, and the proxy if n8n uses one; if they are correct, try again later',
		fault: 'connection',
	},
	certificate: {
		problem:
			'no secure connection to {host} could be established, since n8n does not accept its certificate ({detail})',
		advice:
			"If your organisation or the service uses certificates of its own, save the issuer's certificate as a file on the computer that runs n8n, and name that file in the environment variable NODE_EXTRA_CA_CERTS. Otherwise, check the Base URL of the credential",
		isOnTheWay: true,
		fault: 'access',
		cause: 'configuration-invalid',
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
		advice: 'Try again later, or increase Timeout in Options',
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

/** Why a client sends nothing more, or nothing for a while. */
export interface Closed {
	/**
	 * - `wait`: the service asks for a longer wait than makes sense.
	 * - `outage`: nothing has succeeded for too long.
	 * - `rejections`: the service has rejected many requests in a row, though others have succeeded.
	 * - `credential`: the credential is wrong, or no token can be fetched.
	 */
	why: 'wait' | 'outage' | 'rejections' | 'credential';
	/** Until when, as the time of day, if the service asks for a wait. */
	until?: number;
}
