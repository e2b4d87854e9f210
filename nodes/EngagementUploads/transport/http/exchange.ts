/**
 * One HTTP exchange with the service, or with its token endpoint, within bounds of time and size. How it
 * ended is plain data: whatever the service or the network does, nothing is thrown here.
 */
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { findCodedError, findRefusedAddress, originalMessage } from '../n8nCompat';

export type Outcome =
	/** A response; `text` is its body as sent. */
	| { status: number; headers: Record<string, unknown>; text: string }
	/** No response, because of the network; `code` is e.g. `ECONNREFUSED`, `timeout` in milliseconds. */
	| { network: NetworkFailure; code?: string; timeout?: number }
	/** A response that cannot be read, and why. */
	| { unreadable: string; text?: string; advice?: string }
	/** Not sent, because no token could be fetched: the outcome of the token request. */
	| { withoutToken: Outcome }
	/** Not sent, for a reason in the editor's terms. */
	| { notSent: string };

/**
 * `unsent`: no connection was made. `proxy`: a proxy did not make it. `lost`: it broke, or the
 * response was cut off. `unsendable`: a header contains an invalid character. `untrusted`: the
 * connection would not be secure.
 */
export type NetworkFailure = 'unsent' | 'proxy' | 'lost' | 'timeout' | 'unsendable' | 'untrusted';

const UNSENT =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/;
const UNSENT_MESSAGE = /^connect |before secure TLS connection was established/;
const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED|ABORT_ERR)$/;
const UNTRUSTED = /CERT|SELF_SIGNED|ALTNAME|^EPROTO$|SSL|TLS|LEAF_SIGNATURE|_CA$|_MISMATCH$/;
/** A secure connection that was established and then broke. */
const DAMAGED = /bad.record.mac/i;
const UNPACKABLE = /^Z_/;
const UNSENDABLE = /^ERR_INVALID/;
/** What the HTTP client's proxy agents say, without a code, if a proxy closes the connection. */
const PROXY_MESSAGE = /proxy connection|CONNECT response/i;

/**
 * The outcome of a request for which n8n's HTTP helper threw this error. An error without a code, which
 * nobody has foreseen, counts as a response that cannot be read: the service may have acted.
 */
export function outcomeOf(error: unknown): Outcome {
	const refusal = findRefusedAddress(error);
	if (refusal !== undefined) return { notSent: refusal };
	const message = originalMessage(error);
	if (PROXY_MESSAGE.test(message)) return { network: 'proxy' };
	const found = findCodedError(error);
	if (found === undefined) return { unreadable: message };
	if (UNPACKABLE.test(found.code)) return { unreadable: 'it could not be decompressed' };
	return { network: networkFailureOf(found.code, found.message), code: found.code };
}

function networkFailureOf(code: string, message: string): NetworkFailure {
	if (DAMAGED.test(`${code} ${message}`)) return 'lost';
	if (UNSENT.test(code) || UNSENT_MESSAGE.test(message)) return 'unsent';
	if (TIMED_OUT.test(code)) return 'timeout';
	if (UNSENDABLE.test(code)) return 'unsendable';
	return UNTRUSTED.test(code) ? 'untrusted' : 'lost';
}

/** Whether an HTTP status means success. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** Whether the service did not accept the token, or the key. */
export function isRejectedToken(outcome: Outcome): boolean {
	return 'status' in outcome && outcome.status === 401;
}

/** Whether an HTTP status names another address; 304 does not. */
export function isRedirect(status = 0): boolean {
	return [301, 302, 303, 307, 308].includes(status);
}

/**
 * Sends a request and reads the response. n8n's own timeout only measures silence; this one also
 * ends a response that trickles in, and a wait that does not respect the signal.
 * @param explain what an error that was thrown means
 */
export async function answerWithin(
	milliseconds: number,
	send: (signal: AbortSignal) => Promise<unknown>,
	{ explain = outcomeOf, cancelled }: { explain?: typeof outcomeOf; cancelled?: AbortSignal } = {},
): Promise<Outcome> {
	const outcome = await sendWithin(milliseconds, send, cancelled).catch(explain);
	const isTimeout = 'network' in outcome && outcome.network === 'timeout';
	return isTimeout ? { ...outcome, timeout: milliseconds } : outcome;
}

/** @throws TimeoutError when the time is up, or the reason of the cancellation */
async function sendWithin(
	milliseconds: number,
	send: (signal: AbortSignal) => Promise<unknown>,
	cancelled: AbortSignal | undefined,
): Promise<Outcome> {
	cancelled?.throwIfAborted();
	const controller = new AbortController();
	const { signal } = controller;
	const timeout = AbortSignal.timeout(milliseconds);
	// A signal of its own: with more than ten listeners on one, Node.js warns of a leak.
	const ends = [timeout, ...(cancelled ? [AbortSignal.any([cancelled])] : [])];
	return await new Promise<Outcome>((resolve, reject) => {
		const abort = () => {
			controller.abort(cancelled?.aborted === true ? cancelled.reason : timeout.reason);
			reject(signal.reason as Error);
		};
		ends.forEach((end) => end.addEventListener('abort', abort));
		void send(signal)
			.then(async (response) => await readAnswer(response, signal))
			.then(resolve, reject)
			.finally(() => ends.forEach((end) => end.removeEventListener('abort', abort)));
	});
}

async function readAnswer(response: unknown, signal: AbortSignal): Promise<Outcome> {
	const { statusCode: status, headers, body } = response as IN8nHttpFullResponse;
	try {
		const text = await readBody(body, signal);
		if (text !== undefined || !isSuccess(status)) return { status, headers, text: text ?? '' };
		const unreadable = `it is larger than ${MAX_RESPONSE_SIZE / 1024 / 1024} MB`;
		return { unreadable, advice: 'Decrease Page Size in Options' };
	} catch (error) {
		// If it failed, the status is enough.
		return isSuccess(status) ? outcomeOf(error) : { status, headers, text: '' };
	}
}

/** A response is read up to this size (bytes, decompressed), since all of it is held in memory. */
const MAX_RESPONSE_SIZE = 64 * 1024 * 1024;

/** The text of a body requested as a stream, unless it is too large. @throws if the signal fires */
async function readBody(body: unknown, signal: AbortSignal): Promise<string | undefined> {
	if (!isByteStream(body)) return typeof body === 'string' ? body : JSON.stringify(body ?? '');
	// Otherwise the socket of a response that never ends would stay open.
	const stop = () => body.destroy?.();
	signal.addEventListener('abort', stop);
	try {
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of body) {
			signal.throwIfAborted();
			size += chunk.length;
			if (size > MAX_RESPONSE_SIZE) return undefined;
			chunks.push(chunk);
		}
		return new TextDecoder().decode(Buffer.concat(chunks));
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> & { destroy?(): void } {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
