/**
 * Describes how a request to the service or to its token endpoint failed, in the editor's terms: for
 * items, polls, and the credential test. Most of it stands in the row of the failure; what is added
 * here is what a 401 means, what a token endpoint's refusal means, and that an outcome is unknown.
 */
import { timeOfDay } from '../../values/clock';
import { secretsOf, tokenExpiry, type Credential } from '../credential/credential';
import { isRedirect, isRejectedToken, isSuccess, type Outcome } from '../http/exchange';
import { CHECK_SERVICE, quoted, seconds, type Report } from './errors';
import {
	rowOf,
	UNAUTHORIZED,
	type FailedExchange,
	type Fault,
	type N8nFailure,
	type FailureRow,
} from './failureTable';
import { blockedFor, giveUp, type GivenUp } from './retry';
import { Redactor } from '../../values/redact';
import { extractServiceMessage } from './serviceMessage';

/** What is known of the last attempt: by default, it was the only one. */
export interface LastAttempt {
	credential: Credential;
	attempts?: number;
	decision?: GivenUp;
	/** epoch milliseconds */
	now?: number;
	/** Redacts more than the credential's secrets, such as tokens that it no longer holds. */
	redactor?: Redactor;
}

/** What varies in the problems. */
interface Variables {
	/** the service, or the token endpoint */
	to: string;
	/** the same with its address */
	host: string;
	status: string;
	/** when the access token expired */
	expiry: string;
	/** the code of a failure of the network, in parentheses */
	code: string;
	/** after how many attempts, if there were several */
	after: string;
	timeout: string;
	/** why a response cannot be read */
	why: string;
}

type Answer = Extract<Outcome, { status: number }>;
type Complete = Required<LastAttempt> & { to: 'the service' | 'the token endpoint' };

const CHECK_FIELDS =
	'Check the Token URL, Subscription Key and Token Request Fields of the credential';
const CHECK_STANDARD =
	'Check the Subscription Key of the credential. If the service gave you a grant type or key of its own, enter both in Token Request Fields, as in {"grant_type": "…", "key": "…"}';

/** Reports how the last attempt of a request ended, and what the decision makes of it. */
export function describeFailure(outcome: Outcome, last: LastAttempt): Report {
	const { credential, attempts = 1, now = timeOfDay() } = last;
	const { decision = giveUp(outcome, now), redactor = new Redactor(secretsOf(credential)) } = last;
	const at: Complete = { credential, attempts, now, decision, redactor, to: 'the service' };
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
		const { problem, serviceMessage, ...rest } = report;
		const time = blockedUntil(at);
		const until = time === undefined ? '' : `no token is available until ${time}: `;
		return {
			...rest,
			problem: `${until}${problem}${quoted('It', serviceMessage)}`,
			status: undefined,
			// Whatever it was, the other requests have no token either.
			fault: rest.failure?.cause === 'temporarily-unavailable' ? 'connection' : 'access',
		};
	}
	if ('notSent' in outcome) {
		// Errors in the credential, and of n8n, are in sentences: what is wrong, and what to do.
		const [problem = '', ...advice] = outcome.notSent.replace(/^The /, 'the ').split('. ');
		return { problem, advice: advice.join('. ') || 'Check the credential', fault: 'access' };
	}
	const row = rowForOutcome(outcome, at);
	// A redirect, or a proxy that requires a login, is no answer of the token endpoint.
	const isAnswer = 'status' in outcome && row.cause !== 'configuration-invalid';
	if (isAnswer && at.to !== 'the service') return describeRefusedToken(outcome, row, at);
	const status = 'status' in outcome ? outcome.status : undefined;
	const text = 'text' in outcome ? outcome.text : undefined;
	const until = row.isRetried === true ? blockedUntil(at) : undefined;
	return {
		problem:
			until === undefined
				? problemOf(row, variablesOf(outcome, at))
				: `the service accepts no requests until ${until} (status ${status})`,
		// That of a redirect is a web page for browsers.
		serviceMessage: isRedirect(status) ? undefined : extractServiceMessage(text ?? '', at.redactor),
		advice: adviceOf(outcome, row, at),
		status,
		fault: faultIn(row, at),
		failure: n8nFailureOf(row, at),
	};
}

/** The row of a failure; after a 401, what is known of token and key tells which of them is wrong. */
function rowForOutcome(
	outcome: FailedExchange,
	{ credential, decision, now, to }: Complete,
): FailureRow {
	const row = rowOf(outcome, decision.reason !== 'final');
	if (!isRejectedToken(outcome) || to !== 'the service') return row;
	if ('text' in outcome && /subscription.?key/i.test(outcome.text ?? '')) return UNAUTHORIZED.key;
	if (credential.tokenRequest !== undefined) return UNAUTHORIZED.fetched;
	const expiry = tokenExpiry(credential.token);
	if (expiry === undefined) return UNAUTHORIZED.opaque;
	return expiry <= now ? UNAUTHORIZED.expired : row;
}

function variablesOf(outcome: FailedExchange, at: Complete): Variables {
	const { to, credential, redactor } = at;
	const code = 'code' in outcome && outcome.code !== undefined ? ` (${outcome.code})` : '';
	const expiry = tokenExpiry(credential.token);
	return {
		to,
		host: to === 'the service' ? `${to} at ${new URL(credential.base).host}` : to,
		status: 'status' in outcome ? String(outcome.status) : '',
		expiry: expiry === undefined ? '' : new Date(expiry).toISOString(),
		code,
		after: afterAttempts(at),
		timeout: 'timeout' in outcome ? seconds(outcome.timeout ?? 0) : '',
		why: 'unreadable' in outcome ? redactor.redact(outcome.unreadable) : '',
	};
}

function adviceOf(outcome: FailedExchange, row: FailureRow, { to }: Complete): string {
	if ('unreadable' in outcome && outcome.advice !== undefined) return outcome.advice;
	return to === 'the service' ? row.advice : (row.tokenAdvice ?? row.advice);
}

/** A service that is down for long is no reason to ask for less. */
function faultIn({ fault = 'request' }: FailureRow, { decision: { after } }: Complete): Fault {
	return fault === 'service' && after !== undefined ? 'connection' : fault;
}

/** What n8n is told: why, and if it may try again, after how long. */
function n8nFailureOf(
	{ cause }: FailureRow,
	{ decision: { after } }: Complete,
): N8nFailure | undefined {
	if (cause === undefined) return undefined;
	if (cause === 'configuration-invalid' || cause === 'credential-invalid') return { cause };
	return { cause, ...(after !== undefined && { retryAfterMs: Math.ceil(after) }) };
}

/** The token endpoint responded, but not with a token. */
function describeRefusedToken({ status, text }: Answer, row: FailureRow, at: Complete): Report {
	const problem = `${at.to} did not return a token`;
	if (isSuccess(status))
		return {
			problem: `${problem} (access_token, accessToken or token)`,
			advice: 'Check the Token URL of the credential',
			fault: 'access',
			failure: { cause: 'configuration-invalid' },
		};
	const isRetried = row.isRetried === true;
	const isStandard = at.credential.tokenRequest?.isStandard === true;
	const cause = isRetried ? 'temporarily-unavailable' : 'credential-invalid';
	return {
		problem: `${problem} (status ${status})${isRetried ? afterAttempts(at) : ''}`,
		serviceMessage: extractServiceMessage(text, at.redactor),
		advice: row.tokenAdvice ?? (isStandard ? CHECK_STANDARD : CHECK_FIELDS),
		fault: isRetried ? 'connection' : 'access',
		failure: n8nFailureOf({ ...row, cause }, at),
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

/** The problem of a row, with what varies filled in. */
function problemOf({ problem }: FailureRow, variables: Variables): string {
	const values = new Map(Object.entries(variables));
	return problem.replace(/\{(\w+)\}/g, (_, name: string) => String(values.get(name)));
}
