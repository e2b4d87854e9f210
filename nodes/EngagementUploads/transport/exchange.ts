/**
 * One HTTP exchange with the service, or with its token endpoint, within a time. How it ended is plain
 * data: whatever the service or the network does, nothing is thrown here.
 */
import {
	WorkflowOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
} from 'n8n-workflow';
import { isObject } from '../values/objects';
import { CREDENTIAL, NO_TOKEN, type Credential, type OwnOptions } from './credential';
import {
	ANY_RESPONSE,
	BEFORE_SENDING,
	findCode,
	findRefusedAddress,
	findRejection,
	originalMessage,
} from './n8nCompat';

export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export type Answer = Response | NoResponse;

export interface Response {
	status: number;
	headers: Record<string, unknown>;
	/** The value of the JSON, or the text if it is not JSON. */
	body: unknown;
}

/**
 * `unsent`: no connection was made, or none that is secure. `lost`: it broke. `timeout`: the time was
 * up. `unreadable`: a response came that cannot be read. `blocked`: not sent, for a reason in the
 * editor's terms. `noToken`: not sent, since there is no token.
 */
export type NoResponse =
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
	/** milliseconds for the whole exchange */
	timeout: number;
	cancelled?: AbortSignal;
	/** Called with the credential that the request is sent with; a user may edit it at any time. */
	onSend(credential: Credential): void;
}

/** Sends a request to the service through n8n's own helper, which fetches a token if there is none. */
export async function sendThroughN8n(context: ServiceContext, attempt: Attempt): Promise<Answer> {
	let isSent = false;
	const send = async (signal: AbortSignal) => {
		const beforeSending = (credential: Credential) => {
			// The wait for a token cannot be aborted, but nothing is sent after it.
			signal.throwIfAborted();
			isSent = true;
			attempt.onSend(credential);
			return signal;
		};
		const options = { ...optionsOf(attempt), [BEFORE_SENDING]: beforeSending };
		const { httpRequestWithAuthentication } = context.helpers;
		return await httpRequestWithAuthentication.call(context, CREDENTIAL, options);
	};
	const answer = await exchange(attempt.timeout, send, attempt.cancelled);
	if (isSent) return answer;
	if ('status' in answer) return { end: 'blocked', detail: NO_TOKEN };
	if (answer.end === 'timeout') return { end: 'noToken', tokenAnswer: answer };
	return 'detail' in answer ? { end: 'blocked', detail: answer.detail } : answer;
}

function optionsOf({ method, url, body = {}, timeout }: Attempt): OwnOptions {
	// n8n would send an empty object as nothing, but call it JSON.
	const hasBody = Object.keys(body).length > 0;
	return {
		method,
		url,
		headers: { Accept: 'application/json', ...(hasBody && { 'Content-Type': 'application/json' }) },
		...(hasBody && { body }),
		timeout,
		...ANY_RESPONSE,
	};
}

/** The answers of token endpoints, by the errors' context: n8n copies that of an error it wraps. */
const tokenAnswers = new WeakMap<object, Answer>();

/** Why no token could be fetched; the credential's form shows the message. */
export class TokenError extends WorkflowOperationError {
	constructor(message: string, answer: Answer) {
		super(message);
		// Not in the error, which n8n may store or log: the answer may echo a secret.
		tokenAnswers.set(this.context, answer);
	}
}

function findTokenAnswer(error: unknown): Answer | undefined {
	const { context } = isObject(error) ? error : {};
	return isObject(context) ? tokenAnswers.get(context) : undefined;
}

const UNSENT =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPROTO|ERR_INVALID.*)$|CERT|SELF_SIGNED|SSL|TLS|LEAF_SIGNATURE|_CA$|_MISMATCH$/;
/** How clients and proxies say that no connection was made. */
const UNSENT_MESSAGE =
	/^connect |before secure TLS connection was established|proxy connection|CONNECT response/i;
/** A secure connection that was established and then broke. */
const DAMAGED = /bad.record.mac/i;
const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED|ABORT_ERR)$/;
/** What decompression fails with. */
const UNPACKABLE = /^Z_/;

/** Whether an HTTP status means success. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/**
 * Sends a request and waits for the answer. n8n's own timeout only measures silence; this one also ends
 * a response that trickles in, and a wait that does not respect the signal.
 */
export async function exchange(
	milliseconds: number,
	send: (signal: AbortSignal) => Promise<unknown>,
	cancelled?: AbortSignal,
): Promise<Answer> {
	const timeout = AbortSignal.timeout(milliseconds);
	const signal = AbortSignal.any(cancelled ? [timeout, cancelled] : [timeout]);
	try {
		signal.throwIfAborted();
		return answerOf((await settled(send(signal), signal)) as IN8nHttpFullResponse);
	} catch (error) {
		const answer = explain(error);
		const isTimeout = 'end' in answer && answer.end === 'timeout';
		return isTimeout ? { ...answer, detail: seconds(milliseconds) } : answer;
	}
}

/** @throws the signal's reason if it fires first */
async function settled<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort);
		void result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

function answerOf({ statusCode: status, headers, body }: IN8nHttpFullResponse): Response {
	return { status, headers, body: body ?? '' };
}

/**
 * The answer for an error of n8n's HTTP helper. One without a code, which nobody has foreseen, counts as
 * a response that cannot be read: the service may have acted.
 */
function explain(error: unknown): Answer {
	const tokenAnswer = findTokenAnswer(error);
	if (tokenAnswer !== undefined) return { end: 'noToken', tokenAnswer };
	const rejection = findRejection(error);
	if (rejection !== undefined) return rejection;
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
function seconds(milliseconds: number): string {
	const count = Math.ceil(milliseconds / 100) / 10;
	return `${count} second${count === 1 ? '' : 's'}`;
}
