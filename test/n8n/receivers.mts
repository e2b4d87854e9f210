import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { startMailServer } from './mailServer.mts';
import { listen } from './standIn.mts';

/** Where examples send their notifications: stand-ins for a chat and a mail server. */
export interface Receivers {
	chatUrl: string;
	mailPort: number;
	close(): Promise<void>;
}

/** Starts the stand-ins, on free ports by default; `onMessage` gets every chat message and email. */
export async function startReceivers(
	onMessage: (message: string) => void,
	ports: { chat?: number; mail?: number } = {},
): Promise<Receivers> {
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			onMessage(textOf(body));
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
		});
	});
	const chat = await listen(server, ports.chat);
	const mail = await startMailServer(onMessage, ports.mail);
	return {
		chatUrl: `http://127.0.0.1:${chat.port}`,
		mailPort: mail.port,
		close: async () => {
			await chat.close();
			await mail.close();
		},
	};
}

/** The text of a chat message, or all that was posted. */
function textOf(body: string): string {
	try {
		const { text: message }: { text?: unknown } = JSON.parse(body);
		return typeof message === 'string' ? message : body;
	} catch {
		return body;
	}
}
