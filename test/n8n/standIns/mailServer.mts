import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { shown } from './shown.mts';

/** A stand-in for a mail server; `onEmail` gets every email with its headers. */
export function mailServer(onEmail: (email: string) => void): Server {
	return createServer((socket) => receiveEmails(socket, onEmail));
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

/** The email as its readers see it, with its long lines joined again (quoted-printable). */
function unfold(lines: string[]): string {
	const email = lines.join('\n').replace(/=\n/g, '').replaceAll('=3D', '=');
	return email.includes('Content-Type: text/html') ? shown(email) : email;
}
