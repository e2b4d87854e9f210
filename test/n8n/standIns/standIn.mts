import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Lets a stand-in listen on a loopback port, a free one by default, until this process ends. */
export async function listen(server: Server, port = 0): Promise<number> {
	await once(server.unref().listen(port, '127.0.0.1'), 'listening');
	return (server.address() as AddressInfo).port;
}
