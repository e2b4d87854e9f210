/** What came of a request, in the words of the editor. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { serviceBase } from './address';
import type { Failure, Report } from './errors';
import type { Exchange } from './http';
import { closedUntil, type Decision } from './retry';
import { bearer } from './tokenRequest';

type Finding = Omit<Report, 'purpose' | 'itemIndex'>;

/** How the last try of a request ended. */
export interface Ending {
	outcome: Exclude<Exchange, { unreadable: string }>;
	next: Decision;
	tries: number;
	/** milliseconds that the try was given */
	timeout: number;
}

interface Outcome extends Ending {
	said?: string;
	credential: ICredentialDataDecryptedObject;
	/** epoch milliseconds */
	now: number;
}

const RUN_LATER = 'Try again later';
const UNREACHED = 'Check the Base URL of the credential; if it is right, try again later';
const REFUSED: Record<number, [happened: string, advice: string]> = {
	400: ['the service refused the request as invalid', 'Check the values entered in this node'],
	403: ['the service denied access', 'Check that the credential may see this, and its Client ID'],
	404: [
		'the service did not find it',
		'Check the IDs and names entered in this node, and the Base URL of the credential',
	],
	409: [
		'the service refused it because of a conflict with what is there',
		'Check in the service what is there already',
	],
	422: ['the service refused the values', 'Check the values entered in this node'],
};

/** Reports an outcome that is not (or not any more) worth another try. */
export function outcomeReport(told: Outcome): Finding {
	const { outcome, next, said, credential, now } = told;
	if ('refused' in outcome) {
		const until = next.again ? undefined : next.until;
		const failure = outcome.declared && {
			...outcome.declared,
			...(until !== undefined && { retryAfterMs: Math.ceil(until - now) }),
		};
		return { happened: trouble(told), advice: outcome.advice, failure };
	}
	if (!next.again && next.why === 'unknownOutcome')
		return unknownOutcome(trouble(told), said, statusOf(outcome));
	if ('failure' in outcome) {
		return {
			happened: trouble(told),
			advice: outcome.failure === 'unsent' ? UNREACHED : RUN_LATER,
			failure: backOff('temporarily-unavailable', next, now),
		};
	}
	const { status } = outcome;
	if (status === 401) return { ...unauthorised(credential, outcome.text, now), said, status };
	if (status >= 300 && status < 400) return redirected(status);
	if (!next.again && next.why === 'final') {
		const [happened, advice] = REFUSED[status] ?? [
			'the service refused the request',
			'Check the values entered in this node',
		];
		return { happened: `${happened} (${status})`, said, advice, status };
	}
	const cause = causeOf(status);
	return {
		happened: trouble(told),
		said,
		advice: RUN_LATER,
		status,
		failure: cause === undefined ? undefined : backOff(cause, next, now),
	};
}

/** Reports a success status without a readable answer. */
export function unreadableReport(
	method: 'GET' | 'POST',
	text: string,
	said: string | undefined,
	why = unreadable(text),
): Finding {
	if (method === 'POST') return unknownOutcome(`its answer could not be read: ${why}`, said);
	const advice = 'Check the Base URL of the credential, and try again later';
	return {
		happened: `the service's answer could not be read: ${why}`,
		said,
		advice,
		failure: { cause: 'temporarily-unavailable' },
	};
}

function unreadable(text: string): string {
	if (text.trim() === '') return 'it is empty';
	return /^\s*</.test(text) ? 'it is a web page instead of data' : 'it is not JSON, or was cut off';
}

function unknownOutcome(happened: string, said: string | undefined, status?: number): Finding {
	return {
		happened: `it is unknown whether the service has done it, because ${happened}`,
		said,
		advice:
			'Look in the service before you run this again: nothing was repeated, so that nothing is done twice',
		status,
		failure: { cause: 'temporarily-unavailable' },
	};
}

function trouble({ outcome, next, tries, timeout, credential }: Outcome): string {
	const after = tries > 1 ? `, also after ${tries} tries` : '';
	const until = closedUntil(next);
	const time = until === undefined ? undefined : new Date(until).toISOString();
	if ('refused' in outcome) {
		return time === undefined
			? outcome.refused
			: `no token can be had until ${time}: ${outcome.refused}`;
	}
	if ('failure' in outcome) {
		const happened = {
			// Not its code: n8n would put a text of its own in the place of the message.
			unsent: `the service at ${new URL(serviceBase(credential.baseUrl)).host} could not be reached`,
			lost: 'the connection to the service broke',
			timeout: `the service did not answer within ${Math.ceil(timeout / 100) / 10} seconds`,
		};
		return `${happened[outcome.failure]}${after}`;
	}
	const status = statusOf(outcome) ?? 0;
	if (time !== undefined) return `the service accepts no requests until ${time} (status ${status})`;
	if (status === 429 || status === 403)
		return `the service is asked too often (status ${status})${after}`;
	return `the service failed (status ${status})${after}`;
}

function statusOf(outcome: Outcome['outcome']): number | undefined {
	return 'status' in outcome ? outcome.status : undefined;
}

function redirected(status: number): Finding {
	return {
		happened: `the service answered with a redirect (${status}), which was not followed so that token and key reach no other host`,
		advice: 'Check the Base URL of the credential: it must be the final address of the service',
		status,
		failure: { cause: 'configuration-invalid' },
	};
}

function unauthorised(
	credential: ICredentialDataDecryptedObject,
	text: string,
	now: number,
): Finding {
	const failure: Failure = { cause: 'credential-invalid' };
	if (/subscription.?key/i.test(text)) {
		return {
			happened: 'the service refused the subscription key (401)',
			advice: 'Enter the Subscription Key in the credential again',
			failure,
		};
	}
	if (credential.authentication === 'tokenEndpoint') {
		return {
			happened: 'the service refused also a new token (401)',
			advice: 'Check Client ID, Token URL and Token Request Fields of the credential',
			failure,
		};
	}
	const expiry = expiryOf(bearer(credential.accessToken));
	const happened =
		expiry === undefined
			? 'the access token is wrong or has expired (401)'
			: expiry <= now
				? `the access token has expired at ${new Date(expiry).toISOString()} (401)`
				: 'the service refused the access token (401)';
	const advice =
		'Enter a new Access Token in the credential, or let n8n fetch tokens itself: set Authentication to Token Endpoint';
	return { happened, advice, failure };
}

/** When a JSON web token expires, in epoch milliseconds, if it tells. */
function expiryOf(token: string): number | undefined {
	try {
		const payload: unknown = JSON.parse(
			Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
		);
		const { exp } = payload as { exp?: unknown };
		return typeof exp === 'number' && Number.isFinite(new Date(exp * 1000).getTime())
			? exp * 1000
			: undefined;
	} catch {
		return undefined;
	}
}

type TimedCause = 'rate-limited' | 'quota-exhausted' | 'temporarily-unavailable';

function causeOf(status: number): TimedCause | undefined {
	if (status === 429) return 'rate-limited';
	if (status === 403) return 'quota-exhausted';
	return status === 408 || status >= 500 ? 'temporarily-unavailable' : undefined;
}

function backOff(cause: TimedCause, next: Decision, now: number): Failure {
	const until = next.again ? undefined : next.until;
	return { cause, ...(until !== undefined && { retryAfterMs: Math.ceil(until - now) }) };
}
