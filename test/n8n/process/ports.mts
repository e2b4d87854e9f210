import { createServer } from 'node:net';
import type { Print } from './command.mts';
import { waitUntil } from './waitFor.mts';

/**
 * Below the range from which the system takes ports for outgoing connections (32768 and up on
 * Linux): a port from that range may be taken by another program before it is used.
 */
const LOWEST = 20_000;
const COUNT = 3000;
/** Each test file running at the same time chooses from its own range. */
const FIRST = LOWEST + COUNT * (Number(process.env.JEST_WORKER_ID ?? 0) % 4);

/** An n8n that was asked to stop, or whose start was killed, has its port a little longer. */
const TIME_TO_FREE = 30_000;

/** Ports that have already been handed out: their programs may not be listening yet. */
const reserved = new Set<number>();

/** A loopback port that nobody listens on, different at each call. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = FIRST + Math.floor(Math.random() * COUNT);
		if (reserved.has(port) || !(await isFree(port))) continue;
		reserved.add(port);
		return port;
	}
}

/** Waits a moment for a port that an earlier start may still hold. @throws when it remains in use */
export async function waitForPort(port: number, print: Print): Promise<void> {
	if (await isFree(port)) return;
	print(`Waiting for port ${port}, which is in use …`);
	const options = { what: 'the port', timeout: TIME_TO_FREE };
	await waitUntil(async () => await isFree(port), options).catch(() => {
		throw new Error(
			`Port ${port} is in use. If another npm start is running, give this one a --folder and a --port of its own.`,
		);
	});
}

async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
