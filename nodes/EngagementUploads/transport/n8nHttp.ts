/**
 * What n8n's HTTP helpers are given, return and throw, which differs between its versions, from 2.20 on. The
 * rest of the package does not know which version it runs in; only errors.ts sets a field of newer ones, and
 * exchange.ts the name that an older helper has for a URL.
 *
 * - Up to 2.33, n8n drops the `cause` of an error that it wraps, and keeps only a code and a message.
 * - The credential test and n8n's HTTP Request node use an older HTTP helper with other option names.
 */
import type {
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { isObject, parseJson } from '../values/objects';

/** An option of this package's own requests: a function to call when the request is about to be sent. */
export const BEFORE_SENDING = Symbol.for('n8n-nodes-engagement-uploads.beforeSending');

/** Options with which n8n's newer HTTP helper returns any response as it is. */
export const ANY_RESPONSE = {
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	// As bytes, since n8n would decode every response as UTF-8.
	encoding: 'arraybuffer',
	// Otherwise, n8n would send the token and key to whichever host a redirect names.
	disableFollowRedirect: true,
} satisfies Partial<IHttpRequestOptions>;

/** Options with which n8n renews the token after a 401, and sends the request once more. */
export const RENEW_TOKEN = {
	ignoreHttpStatusErrors: { ignore: true, except: [401] },
} satisfies Partial<IHttpRequestOptions>;

/** Options that prevent redirects, for both of n8n's HTTP helpers. */
export const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** The newer HTTP helper on top of the older one, which is all that a credential test has. */
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
			encoding: null,
			resolveWithFullResponse: true,
		});
}

export type Answer = HttpResponse | NoResponse;

export interface HttpResponse {
	status: number;
	headers: Record<string, unknown>;
	/** The value of the JSON, or the text if it is not JSON. */
	body: unknown;
}

/**
 * Why there is no response that can be read.
 * - `unsent`: no connection, or no secure one, could be made.
 * - `lost`: the connection broke.
 * - `timeout`: there was no response in time.
 * - `unreadable`: there was one, but it cannot be read.
 * - `blocked`: nothing was sent, for a reason in the editor's terms.
 */
interface NoResponse {
	end: 'unsent' | 'lost' | 'timeout' | 'unreadable' | 'blocked';
	detail: string;
	/** What to do, if that is known. */
	advice?: string;
	body?: unknown;
}

/** Whether an HTTP status means success. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** A response of n8n's helpers as an answer. */
export function toAnswer({ statusCode: status, headers, body }: IN8nHttpFullResponse): Answer {
	return { status, headers, body: parseBody(body) };
}

/** The value of a body's JSON, or its text. */
function parseBody(body: unknown): unknown {
	const text = Buffer.isBuffer(body) ? new TextDecoder().decode(body) : (body ?? '');
	const value = typeof text === 'string' ? parseJson(text) : undefined;
	return value === undefined ? text : value;
}

/** Codes of failures before anything is sent: of the host name, the port or the certificate. */
const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO)$|CERT|SIGNATURE/;
/**
 * How clients and proxies say that no connection was made. Only this tells an unreachable host
 * (`connect EHOSTUNREACH`) from one that was lost when the request had already been sent (`read EHOSTUNREACH`).
 */
const UNSENT_MESSAGE =
	/^connect |before secure TLS connection was established|proxy connection|CONNECT response/i;
const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED|ABORT_ERR)$/;
/** Codes of failed decompression. */
const UNPACKABLE = /^Z_/;

/**
 * The answer that an error of n8n's HTTP helper stands for. One without a code counts as a response that
 * cannot be read, since the service may have acted.
 */
export function errorToAnswer(error: unknown): Answer {
	const rejection = findRejection(error);
	if (rejection !== undefined) return { ...rejection, body: parseBody(rejection.body) };
	const code = findCode(error);
	const message = originalMessage(error);
	if (UNSENT_MESSAGE.test(message)) return { end: 'unsent', detail: code ?? message };
	if (code === undefined) return { end: 'unreadable', detail: message };
	if (UNPACKABLE.test(code)) return { end: 'unreadable', detail: 'it could not be decompressed' };
	if (TIMED_OUT.test(code)) return { end: 'timeout', detail: '' };
	return UNSENT.test(code) ? { end: 'unsent', detail: code } : { end: 'lost', detail: message };
}

/** The 401 with which a request ended, if it did; up to 2.33, n8n keeps nothing of it but its body. */
function findRejection(error: unknown) {
	const found = causes(error).find(({ response }) => isObject(response) && response.status === 401);
	const { httpCode, context } = isObject(error) ? error : {};
	if (found === undefined && httpCode !== '401') return undefined;
	const response = isObject(found?.response) ? found.response : {};
	const kept = isObject(context) ? context.data : undefined;
	const headers = isObject(response.headers) ? { ...response.headers } : {};
	return { status: 401, headers, body: response.data ?? kept };
}

/** The code, such as `ECONNRESET`, of the error that n8n has wrapped, or what n8n has kept of it. */
function findCode(error: unknown): string | undefined {
	for (const { name, code } of causes(error)) {
		if (name === 'TimeoutError') return 'ETIMEDOUT';
		if (typeof code === 'string') return code;
	}
	const { httpCode } = isObject(error) ? error : {};
	return typeof httpCode === 'string' && /^[A-Z]/.test(httpCode) ? httpCode : undefined;
}

/** The message that an error had before n8n replaced it. */
export function originalMessage(error: unknown): string {
	const { message = error, messages } = causes(error).at(-1) ?? {};
	const [first] = Array.isArray(messages) ? messages : [];
	return String(first ?? message);
}

/** An error and its causes, the innermost last. If a host has several addresses, the error of the first one counts. */
function causes(error: unknown) {
	const found = [];
	for (let each = error; isObject(each); ) {
		found.push(each);
		const [first] = Array.isArray(each.errors) ? each.errors : [];
		each = each.cause ?? first;
	}
	return found;
}
