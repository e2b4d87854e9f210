import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A stand-in for the mail server through which examples send email. */
export interface MailServer {
	port: number;
	close(): Promise<void>;
}

/** Starts the stand-in, on a free port by default; `onEmail` gets every email with its headers. */
export async function startMailServer(
	onEmail: (email: string) => void,
	port = 0,
): Promise<MailServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		receiveEmails(socket, onEmail);
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

/** As much of SMTP as a client without encryption or authentication needs. */
function receiveEmails(socket: Socket, onEmail: (email: string) => void): void {
	let email: string[] | undefined;
	const replyTo = (line: string): string | undefined => {
		if (email !== undefined && line !== '.') {
			email.push(line);
			return undefined;
		}
		if (email !== undefined) {
			onEmail(unfold(email));
			email = undefined;
			return '250 Accepted';
		}
		const command = line.slice(0, 4).toUpperCase();
		if (command === 'DATA') email = [];
		return { DATA: '354 Go ahead', QUIT: '221 Bye' }[command] ?? '250 OK';
	};
	socket.write('220 Mail server\r\n');
	socket.on('error', () => socket.destroy());
	createInterface({ input: socket }).on('line', (line) => {
		const reply = replyTo(line);
		if (reply !== undefined) socket.write(`${reply}\r\n`);
	});
}

/** The email with its long lines joined again (quoted-printable). */
function unfold(lines: string[]): string {
	return lines.join('\n').replace(/=\n/g, '').replaceAll('=3D', '=');
}
