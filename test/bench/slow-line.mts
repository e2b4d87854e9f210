import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

/** A certificate for the loopback address, valid while the benchmark runs. */
const CERTIFICATE = 'certificate.pem';
const KEY = 'key.pem';
/** The environment variable with its folder. */
const FOLDER_VARIABLE = 'BENCH_CERTIFICATE';

/**
 * Makes a certificate that all processes started from now on trust. @returns a function that
 * removes it
 */
export function makeCertificate(): () => void {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
	const [certificate, key] = [CERTIFICATE, KEY].map((name) => path.join(folder, name));
	const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
	const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
	const files = ['-keyout', key, '-out', certificate].filter((value) => value !== undefined);
	execFileSync('openssl', [...request.split(' '), ...names, ...files], { stdio: 'ignore' });
	process.env[FOLDER_VARIABLE] = folder;
	process.env.NODE_EXTRA_CA_CERTS = certificate;
	return () => rmSync(folder, { recursive: true });
}

/**
 * A line to a service, over TLS: each round trip takes a given time, including those of handshakes.
 */
export class SlowLine {
	/** Maximum number of connections open at the same time. */
	mostOpen = 0;
	private open = 0;

	private constructor(
		readonly url: string,
		private readonly roundTripMs: number,
	) {}

	/** @param service the base URL of a service over plain HTTP */
	static async to(service: string, roundTripMs: number): Promise<SlowLine> {
		const terminator = await listen(terminateTls(Number(new URL(service).port)));
		const proxy = createServer({ allowHalfOpen: true }, (client) =>
			line.forward(client, terminator),
		);
		const line = new SlowLine(`https://127.0.0.1:${await listen(proxy)}`, roundTripMs);
		return line;
	}

	private forward(client: Socket, port: number): void {
		this.open += 1;
		this.mostOpen = Math.max(this.mostOpen, this.open);
		client.once('close', () => (this.open -= 1));
		const server = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
		client.setNoDelay(true);
		const oneWay = this.roundTripMs / 2;
		// Loopback connects at once, so the time of TCP's handshake is added to the first bytes.
		const connectedAt = performance.now() + this.roundTripMs;
		delay(client, server, () => oneWay + Math.max(0, connectedAt - performance.now()));
		delay(server, client, () => oneWay);
	}
}

/** Passes on what arrives, in order, with a delay in milliseconds. */
function delay(from: Socket, to: Socket, delayMs: () => number): void {
	const waiting: Array<() => void> = [];
	const later = (act: () => void) => {
		waiting.push(act);
		// Whichever timer comes first, what has waited longest goes first.
		setTimeout(() => waiting.shift()?.(), delayMs());
	};
	from.on('data', (chunk) => later(() => to.write(chunk)));
	from.once('end', () => later(() => to.end()));
	from.once('error', () => to.destroy());
}

function terminateTls(servicePort: number): Server {
	const folder = process.env[FOLDER_VARIABLE];
	if (folder === undefined) throw new Error('The certificate has not been made');
	const [cert, key] = [CERTIFICATE, KEY].map((name) => readFileSync(path.join(folder, name)));
	return createTlsServer({ cert, key }, (client) => {
		const service = connect({ port: servicePort, host: '127.0.0.1', noDelay: true });
		client.pipe(service).pipe(client);
		client.once('error', () => service.destroy());
		service.once('error', () => client.destroy());
	});
}

async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}
