/**
 * Compensates for the differences between n8n versions, from 1.123 to 2.41. All version-dependent
 * code is in this file; the rest of the package does not know which version it runs in.
 *
 * - Token renewal: before 2.9, n8n's HTTP helper either throws on every error status and loses the
 *   headers, or throws on none and does not renew the token after a 401. Here, it never throws on a
 *   status. To renew a token, the request passes through the credential again, which rejects the
 *   token with the 401 that n8n waits for, before anything is sent.
 * - Errors: from 1.102 to 2.33, n8n drops the `cause` of what it wraps and keeps only a code and a
 *   message. token.ts remembers why no token could be fetched.
 * - The credential test and n8n's own HTTP Request node use an older HTTP helper with other option
 *   names.
 * - Bodies: the HTTP client of 2.20 waits forever for a body that does not decompress. So bodies
 *   are read here, from the stream.
 */
import {
	UserError,
	type ICredentialTestFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
	type NodeApiError,
} from 'n8n-workflow';
import { isObject } from '../values/objects';

const PASSAGE = Symbol.for('n8n-nodes-engagement-uploads.passage');

/**
 * A request's passage through the credential, kept with its options, since n8n does not track it.
 */
export class Passage {
	/** The token that the request was sent with; undefined if it was not sent. */
	token: string | undefined;

	/**
	 * @param signal ends the request; n8n replaces the one in the options with the execution's
	 * @param rejectedToken the token that the service has rejected, for n8n to renew
	 */
	constructor(
		readonly signal: AbortSignal,
		private rejectedToken?: string,
	) {}

	/**
	 * @throws RejectedToken once: if n8n comes back with the same token, the request is sent with it
	 */
	admit(token: string): void {
		if (token === this.rejectedToken) {
			this.rejectedToken = undefined;
			throw new RejectedToken();
		}
		this.token = token;
	}
}

/** Looks like the service's 401 to n8n, so that it renews the token and continues the request. */
class RejectedToken extends UserError {
	readonly response = { status: 401 };

	constructor() {
		super('The service rejected the access token');
	}
}

/** The options of a request, with its passage. */
export function withPassage(options: IHttpRequestOptions, passage: Passage): IHttpRequestOptions {
	return Object.assign(options, { [PASSAGE]: passage });
}

/** The passage of a request; requests of other nodes, such as HTTP Request, have none. */
export function passageOf(options: object & { [PASSAGE]?: Passage }): Passage | undefined {
	return options[PASSAGE];
}

/** A network error's code, such as `ECONNRESET`, and its message. */
export interface CodedError {
	code: string;
	message: string;
}

/** The error with a code that n8n wrapped, or what remains of it. */
export function findCodedError(error: unknown): CodedError | undefined {
	for (let cause = error; isObject(cause); cause = cause.cause) {
		const { name, code, message } = cause;
		if (name === 'TimeoutError') return { code: 'ETIMEDOUT', message: String(message) };
		if (typeof code === 'string') return { code, message: String(message) };
	}
	const { httpCode } = isObject(error) ? error : {};
	const isCode = typeof httpCode === 'string' && /^[A-Z]/.test(httpCode);
	return isCode ? { code: httpCode, message: originalMessage(error) } : undefined;
}

/** An error's own message, before n8n replaced it. */
export function originalMessage(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const inner = error.cause instanceof Error ? originalMessage(error.cause) : undefined;
	const [first] = 'messages' in error && Array.isArray(error.messages) ? error.messages : [];
	return inner ?? (typeof first === 'string' ? first : error.message);
}

/** The text of a body requested as a stream. @throws if the signal fires first */
export async function readBody(body: unknown, signal?: AbortSignal): Promise<string> {
	if (!isByteStream(body)) return typeof body === 'string' ? body : JSON.stringify(body ?? '');
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) {
		signal?.throwIfAborted();
		chunks.push(chunk);
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}

function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * The result of a request. @throws if the signal fires first, which n8n does not always respect
 */
export async function untilAborted<T>(request: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort, { once: true });
		void request.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

/** Options that prevent redirects, for both of n8n's HTTP helpers. */
export const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

type HttpRequest = (
	options: IHttpRequestOptions & { abortSignal: AbortSignal },
) => Promise<IN8nHttpFullResponse>;

/**
 * n8n's newer HTTP helper on top of the older one, the only one available to a credential test. No
 * status is an error.
 */
export function onOlderHelper(
	request: ICredentialTestFunctions['helpers']['request'],
): HttpRequest {
	return async ({ method, url, headers, body, timeout, abortSignal }) => {
		const send = async (): Promise<IN8nHttpFullResponse> => {
			const response: IN8nHttpFullResponse = await request({
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
			return { ...response, body: await readBody(response.body, abortSignal) };
		};
		return await untilAborted(send(), abortSignal);
	};
}

/**
 * Declares why a poll failed, so that n8n polls again at the right time. Errors only accept this as
 * an option from n8n 2.37 on.
 */
export function declareFailure(error: NodeApiError, failure: NodeApiError['failure']): void {
	error.failure = failure;
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
