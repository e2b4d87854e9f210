/**
 * Describes how a request to the service or to its token endpoint failed, in the editor's terms:
 * for items, polls, and the credential test. Pure functions.
 */
import { timeOfDay } from '../../values/clock';
import { secretsOf, tokenExpiry, type Credential } from '../credential/credential';
import { isRedirect, isSuccess, type NetworkFailure, type Outcome } from '../http/exchange';
import { blockedFor, giveUp, type GivenUp } from './retry';
import { quoted, seconds, type Failure, type Report, type TemporaryCause } from './errors';
import { Redactor } from './redact';
import { extractServiceMessage } from './serviceMessage';

/** How often a request was sent (once by default), and why it is not retried. */
export interface Attempts {
	credential: Credential;
	/** of the last attempt, in milliseconds */
	timeout: number;
	attempts?: number;
	decision?: GivenUp;
	/** epoch milliseconds */
	now?: number;
	/** Redacts more than the credential's secrets, such as tokens that it no longer holds. */
	redactor?: Redactor;
}

type Complete = Required<Attempts> & { to: 'the service' | 'the token endpoint' };

const CHECK_SERVICE =
	'Check the service before running this again. The request was not retried, to avoid doing it twice.';
const TRY_LATER = 'Try again later';
const CHECK_BASE_URL = 'Check the Base URL of the credential; if it is correct, try again later';
const CHECK_LATER = 'Try again later, and check the Base URL and Token URL of the credential';
const CHECK_FIELDS =
	'Check the Token URL, Subscription Key and Token Request Fields of the credential';
const CHECK_STANDARD =
	'Check the Subscription Key of the credential. If the service gave you a grant type or key of its own, enter both in Token Request Fields, as in {"grant_type": "…", "key": "…"}';
const CHECK_VALUES = 'Check the values entered in this node';
const REJECTED: Record<number, [problem: string, advice: string]> = {
	400: ['the service rejected the request as invalid', CHECK_VALUES],
	403: ['the service denied access', 'Check the permissions and the Client ID of the credential'],
	404: [
		'the service could not find it',
		'Check the IDs and names entered in this node, and the Base URL of the credential',
	],
	407: [
		'the proxy between n8n and the service requires a login',
		'Check the proxy settings of n8n (HTTPS_PROXY)',
	],
	409: ['the request conflicts with existing data', 'Check what already exists in the service'],
	422: ['the service rejected the values', CHECK_VALUES],
};
/** Unless the decision is final, these statuses ask the client to slow down. */
const THROTTLED: Record<number, [problem: string, cause: TemporaryCause]> = {
	403: ['quota exceeded', 'quota-exhausted'],
	429: ['rate limit exceeded', 'rate-limited'],
};
const INVALID_CONFIGURATION: Failure = { cause: 'configuration-invalid' };
const INVALID_CREDENTIAL: Failure = { cause: 'credential-invalid' };

/** Reports how the last attempt of a request ended, and what the decision makes of it. */
export function describeFailure(outcome: Outcome, last: Attempts): Report {
	const { credential, now = timeOfDay() } = last;
	const decision = giveUp(outcome, now);
	const once = { attempts: 1, now, decision, redactor: new Redactor(secretsOf(credential)) };
	const at: Complete = { ...once, ...last, to: 'the service' };
	const report = describe(outcome, at);
	if (at.decision.reason !== 'unknownOutcome') return report;
	return {
		...report,
		problem: `the outcome is unknown because ${report.problem}`,
		advice: isRedirect(report.status ?? 0) ? `${CHECK_SERVICE} ${report.advice}` : CHECK_SERVICE,
		failure: { cause: 'temporarily-unavailable' },
		isOutcomeUnknown: true,
	};
}

/** A report in sentences, for dialogs that show one text. */
export function toSentences({ problem, serviceMessage, advice }: Report): string {
	const text = `${problem}${quoted('The service', serviceMessage)}. ${advice}`;
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function describe(outcome: Outcome, at: Complete): Report {
	if ('withoutToken' in outcome) {
		const report = describe(outcome.withoutToken, { ...at, to: 'the token endpoint' });
		const { problem, serviceMessage, advice, failure } = report;
		const time = blockedUntil(at);
		const until = time === undefined ? '' : `no token is available until ${time}: `;
		return { problem: `${until}${problem}${quoted('It', serviceMessage)}`, advice, failure };
	}
	if ('notSent' in outcome) {
		// Errors in the credential, and of n8n, are in sentences: what is wrong, and what to do.
		const [problem = '', ...advice] = outcome.notSent.replace(/^The /, 'the ').split('. ');
		return { problem, advice: advice.join('. ') || 'Check the credential' };
	}
	if ('unreadable' in outcome) return unreadable(outcome, at);
	if ('failure' in outcome) return disconnected(outcome, at);
	if (isRedirect(outcome.status)) return redirected(outcome, at);
	return at.to === 'the service'
		? rejectedByService(outcome, at)
		: rejectedByTokenEndpoint(outcome, at);
}

/** Why n8n may try again, and after how long. */
function temporary(cause: TemporaryCause, { decision: { after } }: Complete): Failure {
	return { cause, ...(after !== undefined && { retryAfterMs: Math.ceil(after) }) };
}

function unreadable(
	{ unreadable: why, text = '', advice }: Extract<Outcome, { unreadable: string }>,
	at: Complete,
): Report {
	return {
		problem: `${at.to}'s response could not be read: ${at.redactor.redact(why)}`,
		serviceMessage: extractServiceMessage(text, at.redactor),
		advice: advice ?? 'Check the Base URL of the credential, and try again later',
		failure: temporary('temporarily-unavailable', at),
		isUnreadable: true,
	};
}

function disconnected(
	{ failure: kind, code = '' }: Extract<Outcome, { failure: string }>,
	at: Complete,
): Report {
	const { to, credential } = at;
	const isService = to === 'the service';
	const host = isService ? `${to} at ${new URL(credential.base).host}` : to;
	const after = afterAttempts(at);
	const texts: Record<NetworkFailure, [problem: string, advice: string]> = {
		untrusted: [
			`no secure connection ${isService ? '' : `to ${to} `}could be made (${code})`,
			'Check the Base URL of the credential and the certificate of the service',
		],
		unsendable: [
			`the ${isService ? 'token or key' : 'subscription key'} contains an invalid character`,
			'Enter the token and the Subscription Key in the credential again',
		],
		proxy: [
			`the proxy between n8n and ${to} closed the connection${after}`,
			'Check the proxy settings of n8n (HTTPS_PROXY), and try again later',
		],
		unsent: [
			`${host} could not be reached${after}${code === '' ? '' : ` (${code})`}`,
			isService ? CHECK_BASE_URL : CHECK_LATER,
		],
		lost: [`the connection to ${to} was lost${after}`, isService ? TRY_LATER : CHECK_LATER],
		timeout: [
			`${to} did not respond within ${seconds(at.timeout)}${after}`,
			isService ? `${TRY_LATER}, or increase Timeout in Options` : CHECK_LATER,
		],
	};
	const [problem, advice] = texts[kind];
	const isLasting = kind === 'untrusted' || kind === 'unsendable';
	const failure = isLasting ? INVALID_CONFIGURATION : temporary('temporarily-unavailable', at);
	return { problem, advice, failure };
}

type Response = Extract<Outcome, { status: number }>;

function rejectedByService({ status, text }: Response, at: Complete): Report {
	const common = { serviceMessage: extractServiceMessage(text, at.redactor), status };
	if (status === 401) return { ...unauthorized(text, at), ...common, failure: INVALID_CREDENTIAL };
	if (at.decision.reason === 'final') {
		const [problem, advice] = REJECTED[status] ?? [
			'the service rejected the request',
			CHECK_VALUES,
		];
		return { ...common, problem: `${problem} (${status})`, advice };
	}
	const until = blockedUntil(at);
	const [what, cause] = THROTTLED[status] ?? ['the service failed', 'temporarily-unavailable'];
	const problem =
		until === undefined
			? `${what} (status ${status})${afterAttempts(at)}`
			: `the service accepts no requests until ${until} (status ${status})`;
	return { ...common, problem, advice: TRY_LATER, failure: temporary(cause, at) };
}

/** Why the service did not accept a request's token or key. */
function unauthorized(text: string, { credential, now }: Complete) {
	if (/subscription.?key/i.test(text)) {
		return {
			problem: 'the service rejected the subscription key (401)',
			advice: 'Enter the Subscription Key in the credential again',
		};
	}
	if (credential.tokenRequest !== undefined) {
		return {
			problem: 'the service rejected the new token as well (401)',
			advice: 'Check the Client ID, Token URL and Token Request Fields of the credential',
		};
	}
	const expiry = tokenExpiry(credential.token);
	const problem =
		expiry === undefined
			? 'the access token is wrong or has expired'
			: expiry <= now
				? `the access token expired at ${new Date(expiry).toISOString()}`
				: 'the service rejected the access token';
	return {
		problem: `${problem} (401)`,
		advice:
			'Enter a new Access Token in the credential, or let n8n fetch tokens: set Authentication to Token Endpoint',
	};
}

function rejectedByTokenEndpoint({ status, text }: Response, at: Complete): Report {
	if (isSuccess(status))
		return {
			problem: `${at.to} did not return a token (access_token, accessToken or token)`,
			advice: 'Check the Token URL of the credential',
			failure: INVALID_CONFIGURATION,
		};
	const problem = `${at.to} did not return a token (status ${status})`;
	const serviceMessage = extractServiceMessage(text, at.redactor);
	if (at.decision.reason !== 'final')
		return {
			problem: `${problem}${afterAttempts(at)}`,
			serviceMessage,
			advice: CHECK_LATER,
			failure: temporary('temporarily-unavailable', at),
		};
	const advice = at.credential.tokenRequest?.isStandard === true ? CHECK_STANDARD : CHECK_FIELDS;
	return { problem, serviceMessage, advice, failure: INVALID_CREDENTIAL };
}

function redirected({ status }: Response, { to }: Complete): Report {
	const secrets = to === 'the service' ? 'token and key reach' : 'key reaches';
	return {
		problem: `${to} responded with a redirect (${status}), which was not followed, so that the ${secrets} no other host`,
		advice: 'Check the Base URL of the credential: it must be the final address of the service',
		status,
		failure: INVALID_CONFIGURATION,
	};
}

/** Until when the service accepts no requests, if that is too long to wait. */
function blockedUntil({ decision, now }: Complete): string | undefined {
	const wait = blockedFor(decision);
	return wait === undefined ? undefined : new Date(now + wait).toISOString();
}

function afterAttempts({ attempts }: Complete): string {
	return attempts > 1 ? `, even after ${attempts} attempts` : '';
}
