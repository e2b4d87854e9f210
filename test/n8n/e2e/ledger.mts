import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One upload that a workflow has processed. */
export interface Entry {
	uploadId: string;
	executionId: string;
}

/** An HTTP server to which workflows report every upload that they process; it can make them wait. */
export class Ledger {
	readonly entries: Entry[] = [];
	private isHolding = false;
	private readonly held: ServerResponse[] = [];

	private constructor(private readonly server: ReturnType<typeof createServer>) {}

	static async open(): Promise<Ledger> {
		const server = createServer();
		const ledger = new Ledger(server);
		server.on('request', (request, response: ServerResponse) => {
			void text(request).then((body) => ledger.add(JSON.parse(body), response));
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return ledger;
	}

	get url(): string {
		const { port } = this.server.address() as AddressInfo;
		return `http://127.0.0.1:${port}`;
	}

	/** Responds to nobody until `release`: executions that report an upload stay running. */
	hold(): void {
		this.isHolding = true;
	}

	release(): void {
		this.isHolding = false;
		for (const response of this.held.splice(0)) confirm(response);
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private add(entry: Entry, response: ServerResponse): void {
		this.entries.push(entry);
		if (this.isHolding) this.held.push(response);
		else confirm(response);
	}
}

function confirm(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}
