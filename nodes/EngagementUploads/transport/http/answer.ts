/** Reads the response to one request, within bounds of time and size. */
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { isSuccess, outcomeOf, type Outcome } from './outcome';

/**
 * Sends a request and reads the response. n8n's own timeout only measures silence; this one also
 * ends a response that trickles in, and a wait that does not respect the signal.
 * @throws TimeoutError when the time is up, or the reason of the cancellation
 */
export async function answerWithin(
	milliseconds: number,
	send: (signal: AbortSignal) => Promise<unknown>,
	cancelled?: AbortSignal,
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
		const text = await readBody(body, headers['content-type'], signal);
		if (text !== undefined || !isSuccess(status)) return { status, headers, text: text ?? '' };
		const unreadable = `it is larger than ${MAX_RESPONSE_SIZE / 1024 / 1024} MB`;
		return { unreadable, advice: 'Reduce Page Size in Options' };
	} catch (error) {
		// If it failed, the status is enough.
		return isSuccess(status) ? outcomeOf(error) : { status, headers, text: '' };
	}
}

/** A response is read up to this size (bytes, decompressed), since all of it is held in memory. */
const MAX_RESPONSE_SIZE = 64 * 1024 * 1024;

/** The text of a body requested as a stream, unless it is too large. @throws if the signal fires */
async function readBody(
	body: unknown,
	contentType: unknown,
	signal: AbortSignal,
): Promise<string | undefined> {
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
		return decode(Buffer.concat(chunks), contentType);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Reads text in the charset that the header names, or else in UTF-8. */
function decode(bytes: Uint8Array, contentType: unknown): string {
	const [, charset] = /charset="?([^\s";]+)/i.exec(String(contentType)) ?? [];
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> & { destroy?(): void } {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
