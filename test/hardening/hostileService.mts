import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Requests after which a run is taken to go on for ever. */
const MOST_REQUESTS = 600;

/** Answers every request of a run with the same text, whatever was asked for. */
export class HostileService {
	private readonly runs = new Map<string, { text: string; requests: number }>();
	private base = '';
	private readonly server: Server = createServer((request, response) => {
		const run = this.runs.get((request.url ?? '').split('/')[1] ?? '');
		request.resume();
		if (run === undefined || ++run.requests > MOST_REQUESTS) {
			response.writeHead(418).end();
			return;
		}
		response.writeHead(200, { 'content-type': 'application/json' }).end(run.text);
	});

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		this.base = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/** The base URL of a run that is answered with this text, and whether it has come to an end. */
	answering(text: string): { baseUrl: string; isEndless: () => boolean } {
		const name = String(this.runs.size + 1);
		const run = { text, requests: 0 };
		this.runs.set(name, run);
		return { baseUrl: `${this.base}/${name}`, isEndless: () => run.requests > MOST_REQUESTS };
	}
}
