import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A stand-in for the chat to which examples post. */
export interface Chat {
	url: string;
	close(): Promise<void>;
}

/** Starts the stand-in, on a free port by default; `onMessage` gets the text of every message. */
export async function startChat(onMessage: (message: string) => void, port = 0): Promise<Chat> {
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			onMessage(textOf(body));
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
		});
	});
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const address = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${address.port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function textOf(body: string): string {
	try {
		const { text: message }: { text?: unknown } = JSON.parse(body);
		return typeof message === 'string' ? message : body;
	} catch {
		return body;
	}
}
