/** Describes a failed request in the editor's terms: what happened, what the service said, what to do. */
import { timeOfDay } from '../values/clock';
import { isObject } from '../values/objects';
import { Redactor } from '../values/redact';
import { isUnset } from '../values/text';
import { WEB_PAGE } from './classify';
import { listSecrets, tokenExpiry, type Credential } from './credential';
import { FAILURES, type Closed, type Failure, type FailureKind, type FailureRow } from './failures';

/** What to do after a write whose outcome is unknown. */
export const CHECK_SERVICE =
	'Check the service before running this again. The request was not retried, to avoid doing it twice.';
const CHECK_FIELDS =
	'Check the Token URL, Subscription Key and Token Request Fields of the credential';
const CHECK_STANDARD =
	'Check the Subscription Key of the credential. If the service gave you a different grant type or key, enter both in Token Request Fields, as in {"grant_type": "…", "key": "…"}';

/** Why a request was not sent, or not again. */
const AFTER_OUTAGE = 'nothing more was sent, since no request had succeeded for four minutes';
const AFTER_REJECTIONS =
	'nothing more was sent for a minute, since the service had rejected many requests in a row';

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
	/** How often the request was sent; 0 if the client had closed before. */
	attempts?: number;
	/** Why the client has closed, if it has. */
	closed?: Closed;
	/** Another request of the run has succeeded. */
	hasSucceeded?: boolean;
}

/** Describes a failure. */
export function describe(failure: Failure, circumstances: Circumstances): FailureTexts {
	const { kind, body, isTokenRequest, isOutcomeUnknown } = failure;
	const { credential, redactor = new Redactor(listSecrets(credential)) } = circumstances;
	// The body of a redirect is a web page for browsers.
	const quoted = kind === 'redirect' ? undefined : serviceMessage(body, redactor);
	// What cannot be read is described by the names of its fields.
	const detail = failure.detail && redactor.redact(failure.detail);
	const { problem: last, advice } = explain({ ...failure, detail }, circumstances);
	const reason = whyUnsent(circumstances);
	const problem = reason === undefined ? last : `${reason}: ${last}`;
	if (isTokenRequest) return { problem: `${problem}${quoteMessage('It', quoted)}`, advice };
	if (!isOutcomeUnknown) return { problem, serviceMessage: quoted, advice };
	return {
		problem: `the outcome is unknown because ${problem}`,
		serviceMessage: quoted,
		advice: kind === 'redirect' ? `${CHECK_SERVICE} ${advice}` : CHECK_SERVICE,
	};
}

/** Why a request was not sent, unless that is as clear from what happened to the others. */
function whyUnsent({ attempts, closed }: Circumstances): string | undefined {
	if (attempts !== 0) return undefined;
	if (closed?.why === 'outage') return AFTER_OUTAGE;
	return closed?.why === 'rejections' ? AFTER_REJECTIONS : undefined;
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

function explain(failure: Failure, circumstances: Circumstances) {
	const { kind, status, detail = '', isTokenRequest } = failure;
	const { credential, attempts = 1, closed, hasSucceeded = false } = circumstances;
	const until = closed?.until;
	const row: FailureRow = FAILURES[kind];
	if (kind === 'blocked') {
		// n8n and the credential hand over one text, whose first sentence is the problem.
		const [problem = '', ...advices] = detail.replace(/^The /, 'the ').split('. ');
		return { problem, advice: advices.join('. ') || row.advice };
	}
	const to = isTokenRequest ? 'the token endpoint' : 'the service';
	const advice = isTokenRequest ? adviseOnToken(row, credential) : row.advice;
	if (until !== undefined) {
		const problem = `${to} accepts no requests until ${printTime(until)} (status ${status})`;
		return { problem, advice };
	}
	const after = attempts > 1 ? `, even after ${attempts} attempts` : '';
	if (isTokenRequest && (status !== undefined || kind === 'unreadable') && kind !== 'redirect') {
		const why = status === undefined ? `: ${detail}` : ` (status ${status})${after}`;
		return { problem: `the token endpoint did not return a token${why}`, advice };
	}
	const expired = explainExpiry(kind, credential);
	const values: Record<string, string> = {
		to,
		host: isTokenRequest ? to : `${to} at ${new URL(credential.base).host}`,
		status: String(status),
		after,
		detail,
		where: detail && ` to ${detail}`,
		// After a success, the Client ID and the Base URL are right.
		client: hasSucceeded ? '' : ', and the Client ID of the credential',
		entered: hasSucceeded || !credential.hasClientId ? '' : ', and the Client ID of the credential',
		elsewhere: hasSucceeded || isObject(failure.body) ? '' : '. Check the Base URL too',
		rejection: expired ?? explainRejection(credential),
	};
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
	const problem = fill(row.problem);
	if (isTokenRequest) return { problem, advice };
	if (kind === 'unauthorized')
		return { problem, advice: fill(credential.tokenRequest ? FAILURES.forbidden.advice : advice) };
	return expired === undefined
		? { problem, advice: failure.advice ?? fill(advice) }
		: { problem: `${problem}; ${expired}`, advice: FAILURES.unauthorized.advice };
}

/** That a pasted token has expired, if that may be why a request was refused. */
function explainExpiry(kind: FailureKind, { tokenRequest, token }: Credential): string | undefined {
	const mayBeWhy =
		kind === 'unauthorized' || ['request', 'service', 'response'].includes(FAILURES[kind].fault);
	const expiry = tokenRequest === undefined && mayBeWhy ? tokenExpiry(token) : undefined;
	const isOver = expiry !== undefined && expiry <= timeOfDay();
	return isOver ? `the access token expired at ${printTime(expiry)}` : undefined;
}

function explainRejection({ tokenRequest, token }: Credential): string {
	if (tokenRequest !== undefined) return 'the service rejected the new token as well';
	return tokenExpiry(token) === undefined
		? 'the access token is wrong or has expired'
		: 'the service rejected the access token';
}

function adviseOnToken(row: FailureRow, { tokenRequest }: Credential): string {
	const { tokenAdvice = row.isOnTheWay ? row.advice : undefined } = row;
	return tokenAdvice ?? (tokenRequest?.isStandard === true ? CHECK_STANDARD : CHECK_FIELDS);
}

function printTime(epoch: number): string {
	return new Date(epoch).toISOString();
}

const MAX_SHOWN = 1000;
/** Names of fields with a message, in the order in which they are shown. */
const MESSAGES = ['message', 'errorMessage', 'error_description', 'detail', 'title', 'error'];

/** What a response says, redacted and shortened. */
function serviceMessage(body: unknown, redactor: Redactor): string | undefined {
	const text = redactor.redact(quotable(body)).replace(/\s+/g, ' ').trim();
	if (text === '') return undefined;
	const more = text.length - MAX_SHOWN;
	return more > 0
		? `${text.slice(0, MAX_SHOWN)}… (${more} more characters)`
		: text.replace(/\.$/, '');
}

/** The messages of a response if it has no more than that, the title or text of a web page, or else all of it. */
function quotable(body: unknown): string {
	if (typeof body === 'string')
		return WEB_PAGE.test(body) ? (TITLE.exec(body)?.[1] ?? body.replace(MARKUP, ' ')) : body;
	if (!isObject(body)) return isUnset(body) ? '' : JSON.stringify(body);
	const messages = MESSAGES.map((name) => body[name]).filter((text) => typeof text === 'string');
	const hasMore = Object.values(body).some((each) => typeof each === 'object' && !isUnset(each));
	return hasMore || messages.length === 0
		? JSON.stringify(body)
		: [...new Set(messages)].join('; ');
}

const TITLE = /<title[^>]*>([^<]+)/i;
const MARKUP = /<(script|style)\b[\s\S]*?(<\/\1>|$)|<[^>]*>?/gi;
