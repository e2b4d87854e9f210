import { createServer } from 'node:net';

/**
 * Below the range from which the system takes ports for outgoing connections (32768 and up on
 * Linux): a port from that range may be taken by another program before it is used.
 */
const LOWEST = 20_000;
const COUNT = 3000;
/** Each test file running at the same time chooses from its own range. */
const FIRST = LOWEST + COUNT * (Number(process.env.JEST_WORKER_ID ?? 0) % 4);

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

async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
