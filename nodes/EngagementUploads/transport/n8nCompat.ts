/**
 * What the lines of n8n from 1.123 to 2.41 do differently, and what makes up for it. Everything
 * that depends on a line is in this file; the rest of the package does not know which one it runs in.
 *
 * - Renewing a token: before 2.9 n8n's HTTP helper either throws on every error status, and then
 *   loses the headers, or on none, and then renews no token after a 401. So no status is ever
 *   thrown here. To have a token renewed, the request passes the credential once more, which
 *   rejects the token with the 401 that n8n waits for, before anything is sent.
 * - Errors: from 1.102 to 2.33 n8n drops the `cause` of what it wraps: a code and a message are left.
 *   Why no token could be fetched is remembered in token.ts.
 * - The test of a credential and n8n's own HTTP Request node use an older HTTP helper, with other
 *   option names.
 * - Bodies: the HTTP client of 2.20 waits for ever for a body that does not decompress. So bodies
 *   are read here, from the stream.
 */
import {
	UserError,
	type ICredentialTestFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';
import { isObject } from '../values/objects';

const PASSAGE = Symbol.for('n8n-nodes-engagement-uploads.passage');

/** A request's way through the credential, noted with its options since n8n keeps no account of it. */
export class Passage {
	/** The token that the request was sent with; undefined where it was not sent. */
	token: string | undefined;

	/** @param rejectedToken the token that the service has rejected, for n8n to renew */
	constructor(private rejectedToken?: string) {}

	/** @throws RejectedToken once for a rejected token: if the next one is the same, it is sent again. */
	admit(token: string): void {
		if (token === this.rejectedToken) {
			this.rejectedToken = undefined;
			throw new RejectedToken();
		}
		this.token = token;
	}
}

/** Looks to n8n like the service's 401, so that it renews the token and goes on with the request. */
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

/** The passage of a request; that of another node, such as HTTP Request, has none. */
export function passageOf(options: object): Passage | undefined {
	const passage: unknown = Reflect.get(options, PASSAGE);
	return passage instanceof Passage ? passage : undefined;
}

/** A network error's code, such as `ECONNRESET`, and its message. */
export interface CodedError {
	code: string;
	message: string;
}

/** The error with a code that n8n wrapped, or what n8n kept of it. */
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

/** What an error said before n8n put a text of its own in its place. */
export function originalMessage(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const inner = error.cause instanceof Error ? originalMessage(error.cause) : undefined;
	const [first] = 'messages' in error && Array.isArray(error.messages) ? error.messages : [];
	return inner ?? (typeof first === 'string' ? first : error.message);
}

/** The text of a body that was asked for as a stream, unless the signal comes first. */
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

/** What comes of a request, unless the signal comes first: not everything in n8n heeds one. */
export async function untilAborted<T>(request: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort, { once: true });
		void request.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

/** What keeps a request from following redirects, in the option names of both of n8n's HTTP helpers. */
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
 * n8n's newer HTTP helper on top of the older one, which is all that the test of a credential is
 * given. No status is an error.
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
