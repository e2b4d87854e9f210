import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

let closedUntil = 0;
let sentTooEarly = 0;

/**
 * Measured where requests are sent, not where they arrive: on a busy machine, some are still in
 * transit when the service rejects another. A rejection counts from the moment it has been read.
 */
subscribe('http.client.request.start', () => {
	if (performance.now() < closedUntil) sentTooEarly += 1;
});
subscribe('http.client.response.finish', (message) => {
	const { response } = message as { response: IncomingMessage };
	const seconds = Number(response.headers['retry-after']);
	if (!(seconds > 0)) return;
	const receivedAt = performance.now();
	response.once('end', () => {
		closedUntil = Math.max(closedUntil, receivedAt + seconds * 1000);
	});
});

/** How many requests this process has sent during a `Retry-After` since the last call. */
export function takeSentTooEarly(): number {
	const count = sentTooEarly;
	sentTooEarly = 0;
	closedUntil = 0;
	return count;
}
