import { createServer, type AddressInfo } from 'node:net';

/** A port on loopback that nobody listens on. */
export async function freePort(): Promise<number> {
	return await listenOnce(0);
}

/** @throws where somebody listens on the port already, with the option that chooses another */
export async function assertFree(port: number, what: string, option: string): Promise<void> {
	try {
		await listenOnce(port);
	} catch {
		throw new Error(`Port ${port}, wanted for ${what}, is taken: choose another with ${option}`);
	}
}

async function listenOnce(port: number): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => {
			const { port: found } = server.address() as AddressInfo;
			server.close(() => resolve(found));
		});
	});
}
