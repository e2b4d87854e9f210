import { createServer } from 'node:net';

/**
 * Below the range from which the system takes ports for outgoing connections (32768 and up on
 * Linux): a port from that range may be taken by another program before it is used.
 */
const LOWEST = 20_000;
const COUNT = 12_000;

/** Where to go on: no port is handed out twice, since its program may not be listening yet. */
let next = LOWEST + Math.floor(Math.random() * COUNT);

/** A loopback port that nobody listens on, different at each call. */
export async function freePort(): Promise<number> {
	do next += 1;
	while (!(await isFree(next)));
	return next;
}

async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
