import type { ServerResponse } from 'node:http';
import type { WireFault } from './faults.mts';
import type { SimResponse } from './request.mts';

/** A response's body as it goes over the wire; undefined if none. */
export function bodyText({ body }: SimResponse): string | undefined {
	return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

/** Sends one byte per interval, until the other side gives up. */
function drip(response: ServerResponse, bytes: Buffer, intervalMs: number): void {
	let sent = 0;
	const timer = setInterval(() => {
		response.write(bytes.subarray(sent, sent + 1));
		sent += 1;
	}, intervalMs);
	response.once('close', () => clearInterval(timer));
}

/** Sends a response with a fault; the socket may be left hanging. */
export function sendFaulty(
	response: ServerResponse,
	fault: WireFault,
	answer: SimResponse | undefined,
): void {
	if (fault.kind === 'hang') return;
	if (fault.kind === 'reset' || !answer) {
		response.socket?.resetAndDestroy();
		return;
	}
	const bytes = Buffer.from(bodyText(answer) ?? '');
	const encoding = fault.kind === 'badGzip' ? { 'content-encoding': 'gzip' } : {};
	const headers = { ...answer.headers, ...encoding, 'content-length': bytes.length };
	response.writeHead(answer.status, headers).flushHeaders();
	if (fault.kind === 'drip') drip(response, bytes, fault.intervalMs);
	else if (fault.kind === 'badGzip') response.end(bytes);
	else {
		const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
		response.write(half, () => response.socket?.destroy());
	}
}
