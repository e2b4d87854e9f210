import { startChat } from './chat.mts';
import { startMailServer } from './mailServer.mts';

/** Where examples send their notifications: stand-ins for a chat and a mail server. */
export interface Receivers {
	chatUrl: string;
	mailPort: number;
	close(): Promise<void>;
}

/** Starts the stand-ins, on free ports by default; `onMessage` gets every chat message and email. */
export async function startReceivers(
	onMessage: (message: string) => void,
	{ chat: chatPort, mail: mailPort }: { chat?: number; mail?: number } = {},
): Promise<Receivers> {
	const chat = await startChat(onMessage, chatPort);
	const mailServer = await startMailServer(onMessage, mailPort);
	return {
		chatUrl: chat.url,
		mailPort: mailServer.port,
		close: async () => {
			await chat.close();
			await mailServer.close();
		},
	};
}
