/** Describes how a request failed, in the editor's terms. Pure functions. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { parseJson, isObject } from '../values/objects';
import { serviceBase } from './address';
import type { ErrorReport, Failure } from './errors';
import type { HttpOutcome } from './http';
import { blockedUntil, isTemporaryStatus, type RetryDecision } from './retry';
import { bearer } from './tokenRequest';

type Finding = Omit<ErrorReport, 'purpose' | 'itemIndex'>;

/** How the last attempt of a request ended. */
export interface FailedRequest {
	outcome: Exclude<HttpOutcome, { unreadable: string }>;
	decision: RetryDecision;
	attempts: number;
	/** timeout of the attempt in milliseconds */
	timeout: number;
}

interface FailureContext extends FailedRequest {
	/** What the service said, redacted. */
	serviceMessage?: string;
	credential: ICredentialDataDecryptedObject;
	/** epoch milliseconds */
	now: number;
}

const TRY_LATER = 'Try again later';
const CHECK_VALUES = 'Check the values entered in this node';
const REFUSED: Record<number, [problem: string, advice: string]> = {
	400: ['the service rejected the request as invalid', CHECK_VALUES],
	403: ['the service denied access', 'Check the permissions and the Client ID of the credential'],
	404: [
		'the service could not find it',
		'Check the IDs and names entered in this node, and the Base URL of the credential',
	],
	409: ['the request conflicts with existing data', 'Check what already exists in the service'],
	422: ['the service rejected the values', CHECK_VALUES],
};

/** Reports the outcome of the last attempt. */
export function reportFailure(context: FailureContext): Finding {
	const { outcome, decision, serviceMessage, credential, now } = context;
	if ('refused' in outcome) {
		const until = decision.retry ? undefined : decision.until;
		const failure = outcome.declared && {
			...outcome.declared,
			...(until !== undefined && { retryAfterMs: Math.ceil(until - now) }),
		};
		return { problem: describe(context), advice: outcome.advice, failure };
	}
	if (!decision.retry && decision.reason === 'unknownOutcome')
		return unknownOutcome(describe(context), serviceMessage, statusOf(outcome));
	if ('failure' in outcome) {
		return {
			problem: describe(context),
			advice:
				outcome.failure === 'unsent'
					? 'Check the Base URL of the credential; if it is correct, try again later'
					: TRY_LATER,
			failure: backOff('temporarily-unavailable', decision, now),
		};
	}
	const { status } = outcome;
	if (status === 401)
		return { ...unauthorized(credential, outcome.text, now), serviceMessage, status };
	if (status >= 300 && status < 400) return redirected(status);
	if (!decision.retry && decision.reason === 'final') {
		const [problem, advice] = REFUSED[status] ?? ['the service rejected the request', CHECK_VALUES];
		return { problem: `${problem} (${status})`, serviceMessage, advice, status };
	}
	const cause = causeOf(status);
	return {
		problem: describe(context),
		serviceMessage,
		advice: TRY_LATER,
		status,
		failure: cause && backOff(cause, decision, now),
	};
}

/** Reports a success status without a readable body. */
export function reportUnreadable(
	method: 'GET' | 'POST',
	text: string,
	serviceMessage: string | undefined,
	why = whyUnreadable(text),
): Finding {
	if (method === 'POST')
		return unknownOutcome(`the response could not be read: ${why}`, serviceMessage);
	return {
		problem: `the service's response could not be read: ${why}`,
		serviceMessage,
		advice: 'Check the Base URL of the credential, and try again later',
		failure: { cause: 'temporarily-unavailable' },
		isUnreadable: true,
	};
}

function whyUnreadable(text: string): string {
	if (text.trim() === '') return 'it is empty';
	return /^\s*</.test(text) ? 'it is a web page instead of data' : 'it is not JSON or was cut off';
}

function unknownOutcome(
	problem: string,
	serviceMessage: string | undefined,
	status?: number,
): Finding {
	return {
		problem: `the outcome is unknown because ${problem}`,
		serviceMessage,
		advice:
			'Check the service before running this again. The request was not retried, to avoid doing it twice.',
		status,
		failure: { cause: 'temporarily-unavailable' },
		isOutcomeUnknown: true,
	};
}

function describe({ outcome, decision, attempts, timeout, credential }: FailureContext): string {
	const after = attempts > 1 ? `, even after ${attempts} attempts` : '';
	const until = blockedUntil(decision);
	const time = until === undefined ? undefined : new Date(until).toISOString();
	if ('refused' in outcome) {
		return time === undefined
			? outcome.refused
			: `no token is available until ${time}: ${outcome.refused}`;
	}
	if ('failure' in outcome) {
		const problem = {
			// Without its code: n8n would replace the message with its own text.
			unsent: `the service at ${new URL(serviceBase(credential.baseUrl)).host} could not be reached`,
			lost: 'the connection to the service was lost',
			timeout: `the service did not respond within ${Math.ceil(timeout / 100) / 10} seconds`,
		};
		return `${problem[outcome.failure]}${after}`;
	}
	const { status } = outcome;
	if (time !== undefined) return `the service accepts no requests until ${time} (status ${status})`;
	if (status === 429) return `rate limit exceeded (status ${status})${after}`;
	if (status === 403) return `quota exceeded (status ${status})${after}`;
	return `the service failed (status ${status})${after}`;
}

function statusOf(outcome: FailedRequest['outcome']): number | undefined {
	return 'status' in outcome ? outcome.status : undefined;
}

function redirected(status: number): Finding {
	return {
		problem: `the service responded with a redirect (${status}), which was not followed, so that the token and key reach no other host`,
		advice: 'Check the Base URL of the credential: it must be the final address of the service',
		status,
		failure: { cause: 'configuration-invalid' },
	};
}

function unauthorized(
	credential: ICredentialDataDecryptedObject,
	text: string,
	now: number,
): Finding {
	const failure: Failure = { cause: 'credential-invalid' };
	if (/subscription.?key/i.test(text)) {
		return {
			problem: 'the service rejected the subscription key (401)',
			advice: 'Enter the Subscription Key in the credential again',
			failure,
		};
	}
	if (credential.authentication === 'tokenEndpoint') {
		return {
			problem: 'the service rejected the new token as well (401)',
			advice: 'Check the Client ID, Token URL and Token Request Fields of the credential',
			failure,
		};
	}
	return {
		problem: `${describeRejectedToken(bearer(credential.accessToken), now)} (401)`,
		advice:
			'Enter a new Access Token in the credential, or let n8n fetch tokens: set Authentication to Token Endpoint',
		failure,
	};
}

function describeRejectedToken(token: string, now: number): string {
	const expiry = tokenExpiry(token);
	if (expiry === undefined) return 'the access token is wrong or has expired';
	return expiry <= now
		? `the access token expired at ${new Date(expiry).toISOString()}`
		: 'the service rejected the access token';
}

/** When a JSON Web Token expires, in epoch milliseconds, if it says so. */
function tokenExpiry(token: string): number | undefined {
	const payload = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
	const exp = isObject(payload) ? payload.exp : undefined;
	const isTime = typeof exp === 'number' && Number.isFinite(new Date(exp * 1000).getTime());
	return isTime ? exp * 1000 : undefined;
}

type TimedCause = 'rate-limited' | 'quota-exhausted' | 'temporarily-unavailable';

function causeOf(status: number): TimedCause | undefined {
	if (status === 429) return 'rate-limited';
	if (status === 403) return 'quota-exhausted';
	return isTemporaryStatus(status) ? 'temporarily-unavailable' : undefined;
}

function backOff(cause: TimedCause, decision: RetryDecision, now: number): Failure {
	const until = decision.retry ? undefined : decision.until;
	return { cause, ...(until !== undefined && { retryAfterMs: Math.ceil(until - now) }) };
}
