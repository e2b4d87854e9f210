import { startChat } from './chat.mts';
import { startMailbox } from './mailbox.mts';

/** What examples tell of their results: a chat and a mail server, both stand-ins. */
export interface Outside {
	chatUrl: string;
	mailPort: number;
	close(): Promise<void>;
}

/** Starts the stand-ins; `tell` hears every message and every letter. */
export async function startOutside(tell: (message: string) => void): Promise<Outside> {
	const chat = await startChat(tell);
	const mailbox = await startMailbox(tell);
	return {
		chatUrl: chat.url,
		mailPort: mailbox.port,
		close: async () => {
			await chat.close();
			await mailbox.close();
		},
	};
}
