/**
 * Compensates for the differences between n8n versions, from 1.123 to 2.41. The rest of the package does
 * not know which version it runs in; only errors.ts sets a field of newer ones, and credential.ts the
 * name that an older helper has for a URL.
 *
 * - Token renewal: before 2.9, n8n's HTTP helper either throws on every error status and loses the
 *   headers, or throws on none and does not renew the token after a 401. Here, it never throws on a
 *   status. To renew a token, the request passes through the credential again, which rejects the
 *   token with the 401 that n8n waits for, before anything is sent.
 * - Errors: from 1.102 to 2.33, n8n drops the `cause` of what it wraps and keeps only a code and a
 *   message. token.ts remembers why no token could be fetched.
 * - The credential test and n8n's own HTTP Request node use an older HTTP helper with other option
 *   names.
 * - A run under Retry On Fail, and the time that a poll has: n8n says neither in all versions.
 * - Bodies: the HTTP client of 2.20 waits forever for a body that does not decompress. So
 *   http/exchange.ts reads bodies from the stream.
 */
import {
	UserError,
	type ICredentialTestFunctions,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
} from 'n8n-workflow';
import { isObject } from '../values/objects';

/** In a request's options, the key of its attempt; requests of other nodes have none. */
export const TOKEN_ATTEMPT = Symbol.for('n8n-nodes-engagement-uploads.tokenAttempt');

/** One attempt to send a request with a token, kept with its options, since n8n does not track it. */
export class TokenAttempt {
	/** The token that the request was sent with; undefined if it was not sent. */
	token: string | undefined;

	/** Private, since n8n may log the options of a request that failed. */
	#secrets: string[] = [];

	/** Ends the request; n8n replaces the one in the options with the execution's. */
	signal: AbortSignal | undefined;

	/** @param rejectedToken the token that the service has rejected, for n8n to renew */
	constructor(private rejectedToken?: string) {}

	/**
	 * @throws RejectedToken once: if n8n comes back with the same token, the request is sent with it
	 */
	admit(token: string, secrets: string[]): void {
		this.signal?.throwIfAborted();
		if (token === this.rejectedToken) {
			this.rejectedToken = undefined;
			throw new RejectedToken('The service rejected the access token');
		}
		this.token = token;
		this.#secrets = secrets;
	}

	/** All secrets that it was sent with. */
	get secrets(): string[] {
		return this.#secrets;
	}
}

/**
 * Looks like the service's 401 to n8n, in all of its HTTP helpers, so that it renews the token and
 * continues the request.
 */
export class RejectedToken extends UserError {
	readonly response = { status: 401 };
}

/** The error with a code, such as `ECONNRESET`, that n8n wrapped, or what remains of it. */
export function findCodedError(error: unknown): { code: string; message: string } | undefined {
	for (let cause = error; isObject(cause); cause = cause.cause) {
		const { name, code, message } = cause;
		if (name === 'TimeoutError') return { code: 'ETIMEDOUT', message: String(message) };
		if (typeof code === 'string') return { code, message: String(message) };
	}
	const { httpCode } = isObject(error) ? error : {};
	const isCode = typeof httpCode === 'string' && /^[A-Z]/.test(httpCode);
	return isCode ? { code: httpCode, message: originalMessage(error) } : undefined;
}

/** How n8n begins when it refuses an address itself, such as a private one, and sends nothing. */
const BLOCKED = /^The request was blocked because /;

/** What n8n says about an address that it refuses; undefined for other errors. */
export function findRefusedAddress(error: unknown): string | undefined {
	let found: string | undefined;
	// The innermost error has the most to say.
	for (let cause = error; isObject(cause); cause = cause.cause) {
		const { message, description } = cause;
		if (typeof message !== 'string' || !BLOCKED.test(message)) continue;
		found = typeof description === 'string' ? `${message}. ${description}` : message;
	}
	return found?.replace(/\.$/, '');
}

/** An error's own message, before n8n replaced it. */
export function originalMessage(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const inner = error.cause instanceof Error ? originalMessage(error.cause) : undefined;
	const [first] = 'messages' in error && Array.isArray(error.messages) ? error.messages : [];
	return inner ?? (typeof first === 'string' ? first : error.message);
}

/** Options with which n8n's newer HTTP helper returns any response, as it comes. */
export const ANY_RESPONSE = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	// n8n would send the token and key to whichever host a redirect names.
	disableFollowRedirect: true,
} as const;

/** Options that prevent redirects, for both of n8n's HTTP helpers. */
export const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/**
 * n8n's newer HTTP helper on top of the older one, the only one available to a credential test. No
 * status is an error.
 */
export function onOlderHelper(
	request: ICredentialTestFunctions['helpers']['request'],
): (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse> {
	return async ({ method, url, headers, body, timeout }) =>
		await request({
			method,
			uri: url,
			headers,
			body,
			timeout,
			...NO_REDIRECTS,
			simple: false,
			useStream: true,
			resolveWithFullResponse: true,
		});
}

/**
 * An object that is the same in every attempt of a run under Retry On Fail, and in no other run;
 * undefined without Retry On Fail. n8n's engine passes the same execute data to each attempt. In a
 * tool call by an AI agent, the execute data is the agent's and shared by all of its calls; there,
 * the arguments (the `json` of the only item) are the same object in each attempt.
 */
export function runOf(context: object): object | undefined {
	if (!isExecution(context) || context.getNode().retryOnFail !== true) return undefined;
	const executeData = context.getExecuteData();
	return executeData.node.name === context.getNode().name
		? executeData
		: context.getInputData()[0]?.json;
}

function isExecution(context: object): context is IExecuteFunctions {
	return 'getExecuteData' in context;
}

/**
 * n8n's budget for a poll in memory mode (milliseconds), from 2.38 on. Earlier versions do not
 * limit polls.
 */
export const USUAL_POLL_BUDGET = 300_000;

/** Time budget of a poll in milliseconds. */
export function pollBudget(context: IPollFunctions): number {
	return context.getPollBudgetMs?.() ?? USUAL_POLL_BUDGET;
}
