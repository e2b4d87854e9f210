import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A stand-in for the chat that an example notifies. */
export interface Chat {
	url: string;
	close(): Promise<void>;
}

/** Starts the stand-in; `tell` hears every message. */
export async function startChat(tell: (message: string) => void): Promise<Chat> {
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			tell(messageIn(body));
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function messageIn(body: string): string {
	try {
		const { text: message }: { text?: unknown } = JSON.parse(body);
		return typeof message === 'string' ? message : body;
	} catch {
		return body;
	}
}
