/**
 * Describes how a request to the service or to its token endpoint failed, in the editor's terms: what
 * happened, what the service said, and what to do.
 */
import { timeOfDay } from '../values/clock';
import { isObject } from '../values/objects';
import { Redactor } from '../values/redact';
import { findSecrets, tokenExpiry, type Credential } from './credential';
import type { Failure, Fault, N8nFailure, Row } from './failures';

/** What to do after a write whose outcome is unknown. */
export const CHECK_SERVICE =
	'Check the service before running this again. The request was not retried, to avoid doing it twice.';
const CHECK_FIELDS =
	'Check the Token URL, Subscription Key and Token Request Fields of the credential';
const CHECK_STANDARD =
	'Check the Subscription Key of the credential. If the service gave you a grant type or key of its own, enter both in Token Request Fields, as in {"grant_type": "…", "key": "…"}';

/** How a request failed. */
export interface Report {
	/** A clause, without a full stop. */
	problem: string;
	/** What the service said, redacted. */
	serviceMessage?: string;
	advice: string;
	status?: number;
	fault: Fault;
	/** Lets newer n8n versions retry a failed poll at the right time. */
	failure?: N8nFailure;
	/** The service may have acted on the request. */
	isOutcomeUnknown?: boolean;
}

/** What is known besides the failure. */
export interface Circumstances {
	credential: Credential;
	/** Redacts more than the credential's secrets, such as tokens that it no longer holds. */
	redactor?: Redactor;
	attempts?: number;
	/** The service accepts no requests for longer than it makes sense to wait. */
	isClosed?: boolean;
}

/** Reports a failure. */
export function describe(failure: Failure, circumstances: Circumstances): Report {
	const { kind, status, isTokenRequest } = failure;
	const { credential, redactor = new Redactor(findSecrets(credential)) } = circumstances;
	// That of a redirect is a web page for browsers.
	const said = kind === 'redirect' ? undefined : serviceMessage(failure.body, redactor);
	const { problem, advice } = explain(failure, circumstances);
	const report = {
		problem: isTokenRequest ? `${problem}${quoted('It', said)}` : problem,
		serviceMessage: isTokenRequest ? undefined : said,
		advice,
		status: isTokenRequest ? undefined : status,
		fault: findFault(failure, circumstances),
		failure: n8nFailure(failure, circumstances),
	};
	if (!failure.isOutcomeUnknown) return report;
	return {
		...report,
		problem: `the outcome is unknown because ${problem}`,
		advice: kind === 'redirect' ? `${CHECK_SERVICE} ${advice}` : CHECK_SERVICE,
		failure: { cause: 'temporarily-unavailable' },
		isOutcomeUnknown: true,
	};
}

/** A report in sentences, for dialogs that show one text. */
export function toSentences({ problem, serviceMessage: said, advice }: Report): string {
	const text = `${problem}${quoted('The service', said)}. ${advice}`;
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What the service said, if anything, after the problem. */
export function quoted(who: string, said: string | undefined): string {
	return said === undefined ? '' : `. ${who} said: “${said}”`;
}

function explain(failure: Failure, circumstances: Circumstances) {
	const { kind, row, status, retryAt, detail, isTokenRequest } = failure;
	const { credential, attempts = 1, isClosed = false } = circumstances;
	if (kind === 'blocked') {
		const [problem = '', ...advice] = detail.replace(/^The /, 'the ').split('. ');
		return { problem, advice: advice.join('. ') || row.advice };
	}
	const until = isClosed && retryAt !== undefined ? printTime(retryAt) : undefined;
	const after = attempts > 1 ? `, even after ${attempts} attempts` : '';
	if (isTokenRequest && (status !== undefined || kind === 'unreadable') && kind !== 'redirect') {
		const since = until === undefined ? '' : `no token is available until ${until}: `;
		const why = status === undefined ? `: ${detail}` : ` (status ${status})${after}`;
		const problem = `${since}the token endpoint did not return a token${why}`;
		return { problem, advice: adviseOnToken(row, credential) };
	}
	if (until !== undefined)
		return {
			problem: `the service accepts no requests until ${until} (status ${status})`,
			advice: row.advice,
		};
	if (kind === 'unauthorized') return explainUnauthorized(failure, credential);
	const to = isTokenRequest ? 'the token endpoint' : 'the service';
	const values: Record<string, string> = {
		to,
		host: isTokenRequest ? to : `${to} at ${new URL(credential.base).host}`,
		status: String(status),
		after,
		detail,
	};
	return {
		problem: row.problem.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
		advice: isTokenRequest ? adviseOnToken(row, credential) : row.advice,
	};
}

/** A 401: what is known of the token tells why. */
function explainUnauthorized({ row, status }: Failure, credential: Credential) {
	const report = (problem: string, advice = row.advice) => {
		return { problem: `${problem} (${status})`, advice };
	};
	if (credential.tokenRequest !== undefined)
		return report(
			'the service rejected the new token as well',
			'Check the Client ID, Token URL and Token Request Fields of the credential',
		);
	const expiry = tokenExpiry(credential.token);
	if (expiry === undefined) return report('the access token is wrong or has expired');
	return expiry <= timeOfDay()
		? report(`the access token expired at ${printTime(expiry)}`)
		: report('the service rejected the access token');
}

function adviseOnToken({ tokenAdvice }: Row, { tokenRequest }: Credential): string {
	return tokenAdvice ?? (tokenRequest?.isStandard === true ? CHECK_STANDARD : CHECK_FIELDS);
}

function findFault({ row, isTokenRequest }: Failure, { isClosed }: Circumstances): Fault {
	// A long wait holds for all requests, whatever they are about.
	if (isClosed) return 'access';
	if (!isTokenRequest) return row.fault;
	return row.cause === 'temporarily-unavailable' ? 'connection' : 'access';
}

/** What n8n is told: why, and if it may try again, after how long. */
function n8nFailure({ row, isTokenRequest, retryAfter }: Failure, { isClosed }: Circumstances) {
	const cause = row.cause ?? (isTokenRequest ? 'credential-invalid' : undefined);
	if (cause === undefined) return undefined;
	if (cause === 'configuration-invalid' || cause === 'credential-invalid') return { cause };
	return { cause, ...(isClosed && retryAfter && { retryAfterMs: Math.ceil(retryAfter) }) };
}

function printTime(epoch: number): string {
	return new Date(epoch).toISOString();
}

const MAX_SHOWN = 1000;
/** More is redacted than is shown: what is masked gets shorter, and a secret may begin in what is shown. */
const MAX_REDACTED = 100_000;
/** How many errors and fields are looked at: more than can be shown. */
const MAX_PARTS = 100;
const MAX_NAME = 100;
const MAX_DEPTH = 4;
/** Names of a message, in lower case, in the order in which they are shown. */
const MESSAGES = ['message', 'error_description', 'detail', 'title', 'error'];
/** Names of lists of errors, or of errors by field. */
const LISTS = ['errors', 'details'];
/** Names of what an error in a list is about. */
const SUBJECTS = ['field', 'target', 'property', 'path'];

/** The message in a response's JSON, text or HTML; redacted and shortened. */
export function serviceMessage(body: unknown, redactor: Redactor): string | undefined {
	const parts = [...new Set(collect(body))].map((part) => part.replace(/\.$/, ''));
	const text = parts.join('; ');
	const redacted = redactor.redact(text.slice(0, MAX_REDACTED));
	if (redacted === '') return undefined;
	const more = redacted.length - MAX_SHOWN + Math.max(0, text.length - MAX_REDACTED);
	return more > 0 ? `${redacted.slice(0, MAX_SHOWN)}… (${more} more characters)` : redacted;
}

function collect(value: unknown, depth = 0): string[] {
	if (typeof value === 'string') return [plainText(value)].filter((text) => text !== '');
	if (depth === MAX_DEPTH) return [];
	if (Array.isArray(value))
		return value.slice(0, MAX_PARTS).flatMap((each) => collect(each, depth + 1));
	if (!isObject(value)) return [];
	const fields = Object.entries(value).slice(0, MAX_PARTS);
	const named = (name: string) => fields.find(([each]) => each.toLowerCase() === name)?.[1];
	// At the top, `path` is that of the request.
	const subjects = depth === 0 ? ['field'] : SUBJECTS;
	const subject = subjects.map((name) => value[name]).find((each) => typeof each === 'string');
	const about = subject === undefined ? '' : `${String(subject)}: `;
	const messages = MESSAGES.flatMap((name) => collect(named(name), depth + 1));
	const own = messages.map((part) => `${about}${part}`);
	const inner = LISTS.flatMap((name) => collect(named(name), depth + 1));
	const found = [...own, ...inner];
	if (found.length > 0) return found;
	return fields.flatMap(([name, each]) =>
		collect(each, depth + 1).map((part) => `${name.slice(0, MAX_NAME)}: ${part}`),
	);
}

/** A text without tags, if it is a web page; anything else in angle brackets is part of the message. */
function plainText(text: string): string {
	const isPage = /<(!doctype|html|head|body|h[1-6]|p|div|pre|center)\b/i.test(text);
	const body = text.replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]*>?/g, ' ');
	return (isPage ? body : text).replace(/\s+/g, ' ').trim();
}
