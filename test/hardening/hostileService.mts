import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** After this many requests, a run is considered endless. */
const MAX_REQUESTS = 600;

/** Answers every request of a run with the same text. */
export class HostileService {
	private readonly runs = new Map<string, { text: string; requests: number }>();
	private base = '';
	private readonly server: Server = createServer((request, response) => {
		const run = this.runs.get((request.url ?? '').split('/')[1] ?? '');
		request.resume();
		if (run === undefined || ++run.requests > MAX_REQUESTS) {
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

	/** The base URL of a run that gets this response, and whether the run was endless. */
	startRun(text: string): { baseUrl: string; isEndless: () => boolean } {
		const name = String(this.runs.size + 1);
		const run = { text, requests: 0 };
		this.runs.set(name, run);
		return { baseUrl: `${this.base}/${name}`, isEndless: () => run.requests > MAX_REQUESTS };
	}
}
