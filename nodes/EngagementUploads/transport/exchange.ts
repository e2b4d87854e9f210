/**
 * One HTTP exchange with the service, or with its token endpoint. The result is plain data: whatever the
 * service or the network does, nothing is thrown here.
 */
import {
	WorkflowOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
} from 'n8n-workflow';
import { isObject, parseJson } from '../values/objects';
import { CREDENTIAL, NO_TOKEN, type Credential, type OwnOptions } from './credential';
import {
	ANY_RESPONSE,
	BEFORE_SENDING,
	findCode,
	findRefusedAddress,
	findRejection,
	originalMessage,
	RENEW_TOKEN,
} from './n8nHttp';

export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export type Answer = HttpResponse | NoResponse;

export interface HttpResponse {
	status: number;
	headers: Record<string, unknown>;
	/** The value of the JSON, or the text if it is not JSON. */
	body: unknown;
}

/**
 * Why there is no response that can be read.
 * - `unsent`: no connection could be made, or no secure one.
 * - `lost`: the connection broke.
 * - `timeout`: there was no response in time.
 * - `unreadable`: there was one, but it cannot be read.
 * - `blocked`: nothing was sent, for a reason in the editor's terms.
 * - `noToken`: nothing was sent, since no token could be fetched.
 */
type NoResponse =
	| {
			end: 'unsent' | 'lost' | 'timeout' | 'unreadable' | 'blocked';
			detail: string;
			body?: unknown;
	  }
	| { end: 'noToken'; tokenAnswer: Answer };

/** One attempt to send a request to the service. */
interface Attempt {
	method: 'GET' | 'POST';
	/** absolute; may contain the placeholder for the client ID */
	url: string;
	body?: IDataObject;
	/** milliseconds for the request itself, without the wait for a token */
	timeout: number;
	/** Ends the wait for a token, and the request. */
	signal: AbortSignal;
	/** Whether n8n renews the token after a 401. */
	renewsToken: boolean;
	/** Is called with the credential that is used, which a user may have edited meanwhile. */
	onSend(credential: Credential): void;
}

/** Sends a request to the service through n8n's helper, which fetches a token if there is none. */
export async function sendThroughN8n(context: ServiceContext, attempt: Attempt): Promise<Answer> {
	const { timeout, signal } = attempt;
	let wasSent = false;
	const beforeSending = (credential: Credential) => {
		// The signal cannot end n8n's wait for a token, but nothing is sent after it.
		signal.throwIfAborted();
		wasSent = true;
		attempt.onSend(credential);
		return AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
	};
	const options = { ...toOptions(attempt), [BEFORE_SENDING]: beforeSending };
	const { httpRequestWithAuthentication } = context.helpers;
	const answer = await exchange(
		async () => await httpRequestWithAuthentication.call(context, CREDENTIAL, options),
		timeout,
		signal,
	);
	if (wasSent) return answer;
	if ('status' in answer) return { end: 'blocked', detail: NO_TOKEN };
	if (answer.end === 'timeout') return { end: 'noToken', tokenAnswer: answer };
	return 'detail' in answer ? { end: 'blocked', detail: answer.detail } : answer;
}

function toOptions({ method, url, body = {}, timeout, renewsToken }: Attempt): OwnOptions {
	// For an empty object, n8n would send nothing, but declare it as JSON.
	const hasBody = Object.keys(body).length > 0;
	return {
		method,
		url,
		headers: { Accept: 'application/json', ...(hasBody && { 'Content-Type': 'application/json' }) },
		...(hasBody && { body }),
		timeout,
		...ANY_RESPONSE,
		...(renewsToken && RENEW_TOKEN),
	};
}

/** The answers of token endpoints, by the context of the error, which n8n keeps when it wraps one. */
const tokenAnswers = new WeakMap<object, Answer>();

/** Why no token could be fetched; the credential's form shows the message. */
export class TokenError extends WorkflowOperationError {
	constructor(message: string, answer: Answer) {
		super(message);
		// Not in the error, which n8n may store or log, since the answer may echo a secret.
		tokenAnswers.set(this.context, answer);
	}
}

function findTokenAnswer(error: unknown): Answer | undefined {
	const { context } = isObject(error) ? error : {};
	return isObject(context) ? tokenAnswers.get(context) : undefined;
}

/** Whether an HTTP status means success. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/**
 * Sends a request, and waits for the answer or the signal: n8n's own timeout only measures silence, so a
 * response that trickles in would never end.
 */
export async function exchange(
	send: () => Promise<unknown>,
	timeout: number,
	signal: AbortSignal,
): Promise<Answer> {
	try {
		signal.throwIfAborted();
		const response = (await untilAborted(send(), signal)) as IN8nHttpFullResponse;
		const { statusCode: status, headers, body } = response;
		return { status, headers, body: parseBody(body, headers) };
	} catch (error) {
		const answer = toAnswer(error);
		const isTimeout = 'end' in answer && answer.end === 'timeout';
		return isTimeout ? { ...answer, detail: printSeconds(timeout) } : answer;
	}
}

/** The result, unless the signal is aborted first. @throws the reason of the signal */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort);
		void result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

/** The value of a body's JSON, or its text. */
function parseBody(body: unknown, headers: Record<string, unknown>): unknown {
	const text = Buffer.isBuffer(body) ? decode(body, headers['content-type']) : (body ?? '');
	const value = typeof text === 'string' ? parseJson(text) : undefined;
	return value === undefined ? text : value;
}

/** The text of a body, in the encoding that the service declares, such as Latin-1; UTF-8 by default. */
function decode(body: Buffer, contentType: unknown): string {
	const [, declared = 'utf-8'] = /charset="?([\w-]+)/i.exec(String(contentType)) ?? [];
	try {
		return new TextDecoder(declared).decode(body);
	} catch {
		return new TextDecoder().decode(body);
	}
}

const UNSENT =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPROTO|ERR_INVALID.*)$|CERT|SELF_SIGNED|SSL|TLS|LEAF_SIGNATURE|_CA$|_MISMATCH$/;
/** How clients and proxies say that no connection was made. */
const UNSENT_MESSAGE =
	/^connect |before secure TLS connection was established|proxy connection|CONNECT response/i;
/** A secure connection that was established and then broke. */
const DAMAGED = /bad.record.mac/i;
const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED|ABORT_ERR)$/;
/** Codes of failed decompression. */
const UNPACKABLE = /^Z_/;

/**
 * The answer that an error of n8n's HTTP helper stands for. One without a code counts as a response that
 * cannot be read, since the service may have acted.
 */
function toAnswer(error: unknown): Answer {
	const tokenAnswer = findTokenAnswer(error);
	if (tokenAnswer !== undefined) return { end: 'noToken', tokenAnswer };
	const rejection = findRejection(error);
	if (rejection !== undefined)
		return { ...rejection, body: parseBody(rejection.body, rejection.headers) };
	const refusal = findRefusedAddress(error);
	if (refusal !== undefined) return { end: 'blocked', detail: refusal };
	const { code, message = originalMessage(error) } = findCode(error) ?? {};
	if (UNSENT_MESSAGE.test(message)) return { end: 'unsent', detail: code ?? message };
	if (code === undefined) return { end: 'unreadable', detail: message };
	if (UNPACKABLE.test(code)) return { end: 'unreadable', detail: 'it could not be decompressed' };
	if (TIMED_OUT.test(code)) return { end: 'timeout', detail: '' };
	const isUnsent = UNSENT.test(code) && !DAMAGED.test(`${code} ${message}`);
	return isUnsent ? { end: 'unsent', detail: code } : { end: 'lost', detail: message };
}

/** A duration in milliseconds, as in “1.5 seconds”. */
function printSeconds(milliseconds: number): string {
	const count = Math.ceil(milliseconds / 100) / 10;
	return `${count} second${count === 1 ? '' : 's'}`;
}
