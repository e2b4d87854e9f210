import type { AddressInfo, Server, Socket } from 'node:net';

/** A stand-in for a service that examples use, on a loopback port. */
export interface StandIn {
	port: number;
	close(): Promise<void>;
}

/** Lets a server listen, on a free port by default. */
export async function listen(server: Server, port = 0): Promise<StandIn> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	return {
		port: (server.address() as AddressInfo).port,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
