import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A stand-in for the mail server to which examples give their letters. */
export interface Mailbox {
	port: number;
	close(): Promise<void>;
}

/** Starts the stand-in; `tell` hears every letter, with its head. */
export async function startMailbox(tell: (letter: string) => void): Promise<Mailbox> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		takeLetters(socket, tell);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.address() as AddressInfo).port,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** As much of SMTP as a sender without encryption and log-in needs. */
function takeLetters(socket: Socket, tell: (letter: string) => void): void {
	let letter: string[] | undefined;
	const answerTo = (line: string): string | undefined => {
		if (letter !== undefined && line !== '.') {
			letter.push(line);
			return undefined;
		}
		if (letter !== undefined) {
			tell(unfolded(letter));
			letter = undefined;
			return '250 Taken';
		}
		const command = line.slice(0, 4).toUpperCase();
		if (command === 'DATA') letter = [];
		return { DATA: '354 Go on', QUIT: '221 Bye' }[command] ?? '250 Fine';
	};
	socket.write('220 Mailbox\r\n');
	createInterface({ input: socket }).on('line', (line) => {
		const answer = answerTo(line);
		if (answer !== undefined) socket.write(`${answer}\r\n`);
	});
}

/** The letter with its long lines put together again. */
function unfolded(lines: string[]): string {
	return lines.join('\n').replace(/=\n/g, '').replaceAll('=3D', '=');
}
