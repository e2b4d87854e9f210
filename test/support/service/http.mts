import { once, setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from './random.mts';
import { simRequest, type SimResponse, type SimRequest } from './request.mts';
import { Service, type ServiceOptions } from './service.mts';
import { bodyText, sendFaulty } from './wire.mts';

/** How responses are delayed. Virtual time replaces it, so that nothing waits (test/support/time/virtualTime.mts). */
export const delays = {
	async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
		// Closing cuts the delay short; the connection, and with it the response, is then gone.
		await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
	},
	/** A response is held back until the returned function is called, or for good. */
	hold: (): (() => void) => () => {},
};

/** The nodes remember what they did at an address, which the system may give to a later service, too. */
const usedPorts = new Set<number>();

/** The simulated service on a loopback port. */
export class SimulatedService extends Service {
	/** The base URL. */
	url = '';
	private readonly closing = new AbortController();
	private readonly random = new SeededRandom(5);
	// An idle connection stays open, so that none closes just when a request is sent.
	private readonly server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
		this.serve(incoming, response).catch((error: unknown) =>
			deliver(response, { status: 500, headers: {}, body: String(error) }),
		);
	});

	constructor(options: ServiceOptions) {
		super(options);
		// Each delayed response listens for the end.
		setMaxListeners(0, this.closing.signal);
	}

	/** Listens on a port; 0 stands for a free one on which no other service of this process has listened. */
	async listen(port: number): Promise<void> {
		await once(this.server.listen(port, '127.0.0.1'), 'listening');
		const { port: own } = this.server.address() as AddressInfo;
		this.url = `http://127.0.0.1:${own}`;
		if (port === 0 && usedPorts.has(own)) {
			await once(this.server.close(), 'close');
			return await this.listen(0);
		}
		usedPorts.add(own);
	}

	/** Stops, and closes open connections. */
	async close(): Promise<void> {
		this.closing.abort();
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const request = await toSimRequest(incoming);
		const done = this.log.begin(request);
		let status: number | undefined;
		response.once('close', () => done(status));
		await this.wait(response);
		const { response: answer, wire } = this.handle(request);
		response.sendDate = false;
		if (!wire && answer) {
			status = answer.status;
			deliver(response, answer);
		}
		if (wire?.kind === 'hang' || wire?.kind === 'drip') holdBack(response);
		if (wire) sendFaulty(response, wire, answer);
	}

	private async wait(response: ServerResponse): Promise<void> {
		const { latencyMs } = this.settings;
		const [min, max] = typeof latencyMs === 'number' ? [latencyMs, latencyMs] : latencyMs;
		const delay = min + this.random.below(max - min + 1);
		if (delay <= 0) return;
		const release = holdBack(response);
		await delays.wait(delay, this.closing.signal);
		release();
	}
}

function holdBack(response: ServerResponse): () => void {
	const release = delays.hold();
	response.once('close', release);
	return release;
}

async function toSimRequest(incoming: IncomingMessage): Promise<SimRequest> {
	const { method = '', url = '/', headersDistinct } = incoming;
	const flat = Object.entries(headersDistinct).map(([name, values]) => [name, values?.join(', ')]);
	return simRequest(method, url, Object.fromEntries(flat), await text(incoming));
}

function deliver(response: ServerResponse, answer: SimResponse): void {
	// Set rather than written at once, so that Node.js adds the length.
	response.statusCode = answer.status;
	response.setHeaders(new Map(Object.entries(answer.headers))).end(bodyText(answer));
}

/** Starts the simulated service on loopback, on a free port by default. */
export async function startService(
	options: ServiceOptions & { port?: number } = {},
): Promise<SimulatedService> {
	const service = new SimulatedService(options);
	await service.listen(options.port ?? 0);
	return service;
}
