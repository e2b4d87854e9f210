import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Lets a stand-in for a service listen on a loopback port, a free one by default. */
export async function listen(server: Server, port = 0) {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	await once(server.listen(port, '127.0.0.1'), 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
