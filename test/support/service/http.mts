import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SeededRandom } from './random.mts';
import { simRequest, type SimResponse, type SimRequest } from './request.mts';
import { Service, type ServiceOptions } from './service.mts';
import { bodyText, sendFaulty } from './wire.mts';

/** How responses are delayed. Virtual time replaces it, so that nothing waits (test/support/virtualTime.mts). */
export const delays = {
	async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
		// Closing cuts the delay short; the connection, and with it the response, is then gone.
		await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
	},
	/** A response is held back until the returned function is called, or for good. */
	hold: (): (() => void) => () => {},
};

/** The simulated service on a loopback port. */
export class SimulatedService extends Service {
	private address = '';
	private readonly app: FastifyInstance;
	private readonly closing = new AbortController();
	private readonly random = new SeededRandom(5);

	constructor(options: ServiceOptions) {
		super(options);
		// Each delayed response listens for the end.
		setMaxListeners(0, this.closing.signal);
		this.app = fastify({ forceCloseConnections: true });
		// The service validates bodies itself, so they are passed on as text.
		this.app.addHttpMethod('GET', { hasBody: true });
		this.app.removeAllContentTypeParsers();
		this.app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
			done(null, body),
		);
		this.app.all('*', async (request, reply) => await this.serve(request, reply));
	}

	/** The base URL. */
	get url(): string {
		return this.address;
	}

	async listen(port: number): Promise<void> {
		this.address = await this.app.listen({ host: '127.0.0.1', port });
	}

	/** Stops, and closes open connections. */
	async close(): Promise<void> {
		this.closing.abort();
		await this.app.close();
	}

	private async serve(incoming: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const request = toSimRequest(incoming);
		const done = this.log.begin(request);
		let status: number | undefined;
		reply.raw.once('close', () => done(status));
		await this.wait(reply);
		const { response, wire } = this.handle(request);
		if (!wire && response) {
			status = response.status;
			return deliver(reply, response);
		}
		reply.hijack();
		reply.raw.sendDate = false;
		if (wire?.kind === 'hang' || wire?.kind === 'drip') holdBack(reply);
		if (wire) sendFaulty(reply.raw, wire, response);
		return reply;
	}

	private async wait(reply: FastifyReply): Promise<void> {
		const { latencyMs } = this.settings;
		const [min, max] = typeof latencyMs === 'number' ? [latencyMs, latencyMs] : latencyMs;
		const delay = min + this.random.below(max - min + 1);
		if (delay <= 0) return;
		const release = holdBack(reply);
		await delays.wait(delay, this.closing.signal);
		release();
	}
}

function holdBack({ raw }: FastifyReply): () => void {
	const release = delays.hold();
	raw.once('close', release);
	return release;
}

function toSimRequest({ method, raw, headers, body }: FastifyRequest): SimRequest {
	const flat = Object.entries(headers).map(([name, value]) => [
		name,
		Array.isArray(value) ? value.join(', ') : value,
	]);
	return simRequest(
		method,
		raw.url ?? '/',
		Object.fromEntries(flat),
		typeof body === 'string' ? body : undefined,
	);
}

function deliver(reply: FastifyReply, answer: SimResponse): FastifyReply {
	reply.raw.sendDate = false;
	return reply.code(answer.status).headers(answer.headers).send(bodyText(answer));
}

/** Starts the simulated service on loopback, on a free port by default. */
export async function startService(
	options: ServiceOptions & { port?: number } = {},
): Promise<SimulatedService> {
	const service = new SimulatedService(options);
	await service.listen(options.port ?? 0);
	return service;
}
