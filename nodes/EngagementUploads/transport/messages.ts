/** Describes a failed request in the editor's terms: what happened, what the service said, what to do. */
import { isObject } from '../values/objects';
import { Redactor } from '../values/redact';
import { isUnset } from '../values/text';
import { listSecrets, type Credential } from './credential';
import { FAILURES, type Failure } from './failures';

/** What to do after a write whose outcome is unknown. */
export const CHECK_SERVICE =
	'Check the service before running this again. The request was not retried, to avoid doing it twice.';
/** What to do if no token can be fetched: the request was refused, or the address may be wrong. */
const CHECK_TOKEN_REQUEST =
	'Check the Subscription Key of the credential. If the service gave you a different grant type or key, enter both in Token Request Fields, as in {"grant_type": "…", "key": "…"}';
const CHECK_ADDRESS =
	'Check the Base URL of the credential, and the Token URL if you have changed it';
const CHECK_LATER = 'Try again later, and check the Base URL and Token URL of the credential';

/** What the user reads about a failed request. */
export interface FailureTexts {
	/** A clause, without a full stop. */
	problem: string;
	/** What the service said, redacted. */
	serviceMessage?: string;
	advice: string;
}

/** What is known besides the failure. */
interface Circumstances {
	credential: Credential;
	/** Also knows secrets that the credential no longer has, such as earlier tokens. */
	redactor?: Redactor;
	/** How often the request was sent; 0 if it was not, because others had failed like this. */
	attempts?: number;
	/** Until when the service accepts nothing, as the time of day. */
	until?: number;
}

/** Describes a failure. */
export function describe(failure: Failure, circumstances: Circumstances): FailureTexts {
	const { kind, body, isTokenRequest, isOutcomeUnknown } = failure;
	const { credential, redactor = new Redactor(listSecrets(credential)) } = circumstances;
	// The body of a redirect is a web page for browsers.
	const quoted = kind === 'redirect' ? undefined : serviceMessage(body, redactor);
	const detail = redactor.redact(failure.detail ?? '');
	const { problem, advice } = explain({ ...failure, detail }, circumstances);
	if (isTokenRequest) return { problem: `${problem}${quoteMessage('It', quoted)}`, advice };
	if (!isOutcomeUnknown) return { problem, serviceMessage: quoted, advice };
	return {
		problem: `the outcome is unknown because ${problem}`,
		serviceMessage: quoted,
		advice: CHECK_SERVICE,
	};
}

/** The texts as sentences, for dialogs that show one text. */
export function toSentences({ problem, serviceMessage: said, advice }: FailureTexts): string {
	const text = `${problem}${quoteMessage('The service', said)}. ${advice}`;
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A sentence that quotes what the service said, if anything, to follow the problem. */
export function quoteMessage(who: string, said: string | undefined): string {
	return said === undefined ? '' : `. ${who} said: “${said}”`;
}

function explain(failure: Failure & { detail: string }, circumstances: Circumstances) {
	const { kind, status, detail, isTokenRequest } = failure;
	const { credential, attempts = 1, until } = circumstances;
	if (kind === 'blocked') {
		// n8n and the credential hand over one text, whose first sentence is the problem.
		const [problem = '', ...advices] = detail.replace(/^The /, 'the ').split('. ');
		return { problem, advice: advices.join('. ') || FAILURES.blocked.advice };
	}
	const to = isTokenRequest ? 'the token endpoint' : 'the service';
	const values: Record<string, string> = {
		to,
		host: isTokenRequest ? to : `${to} at ${new URL(credential.base).host}`,
		status: String(status),
		after: attempts > 1 ? `, even after ${attempts} attempts` : '',
		detail,
	};
	const row = FAILURES[kind].problem.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
	const last = until
		? `${to} accepts no requests until ${new Date(until).toISOString()} (status ${status})`
		: row;
	const unsent =
		attempts === 0 && !until ? 'nothing was sent, because earlier requests had failed: ' : '';
	const own = failure.advice ?? FAILURES[kind].advice;
	const advice = isTokenRequest ? (tokenAdvice(failure) ?? own) : own;
	return { problem: `${unsent}${last}`, advice };
}

/** What to do about a request for a token, where that is something else than for other requests. */
function tokenAdvice({ kind, mayPass }: Failure): string | undefined {
	if (mayPass) return CHECK_LATER;
	if (kind === 'rejected' || kind === 'forbidden') return CHECK_TOKEN_REQUEST;
	return kind === 'keyRejected' ? undefined : CHECK_ADDRESS;
}

const MAX_SHOWN = 1000;
/** Names of fields with a message, in the order in which they are shown. */
const MESSAGES = ['message', 'error_description', 'detail', 'title', 'error'];

/** What a response says, redacted and shortened. */
function serviceMessage(body: unknown, redactor: Redactor): string | undefined {
	const text = redactor.redact(quotable(body)).replace(/\s+/g, ' ').trim();
	if (text === '') return undefined;
	const more = text.length - MAX_SHOWN;
	return more > 0
		? `${text.slice(0, MAX_SHOWN)}… (${more} more characters)`
		: text.replace(/\.$/, '');
}

/** The messages of a response if it has no more than that, or else all of it, without the tags of a web page. */
function quotable(body: unknown): string {
	// What is no text, such as a packed body, would be quoted as rubbish.
	if (typeof body === 'string') return body.includes('\uFFFD') ? '' : body.replace(MARKUP, ' ');
	if (isUnset(body)) return '';
	if (!isObject(body)) return JSON.stringify(body);
	const messages = MESSAGES.map((name) => body[name]).filter((text) => typeof text === 'string');
	const hasMore = Object.values(body).some((each) => typeof each === 'object' && !isUnset(each));
	return hasMore || messages.length === 0
		? JSON.stringify(body)
		: [...new Set(messages)].join('; ');
}

const MARKUP = /<(script|style)\b[\s\S]*?(<\/\1>|$)|<[a-z/!][^>]*>?/gi;
