import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Everything secret that a request carried. */
export interface Heard {
	authorization: string;
	key: string;
	body: string;
}

/** Builds a response from what a request carried. */
export interface Echo {
	status: number;
	text: (heard: Heard) => string;
}

/** A service that echoes what it should not: each response contains the request's own secrets. */
export class EchoService {
	/** For the token endpoint; by default it issues tokens. */
	tokenEcho: Echo | undefined;
	echo: Echo = { status: 400, text: () => '' };
	/** Opaque, so that only its value identifies it as a token. */
	readonly sessionToken = 'fetched.token/with+signs=0f9e8d7c6b5a';
	private readonly server: Server = createServer((request, response) => {
		void this.answer(request).then(({ status, text }) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(text);
		});
	});

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async answer(request: IncomingMessage): Promise<{ status: number; text: string }> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const heard: Heard = {
			authorization: request.headers.authorization ?? '',
			key: String(request.headers['ocp-apim-subscription-key'] ?? ''),
			body: Buffer.concat(chunks).toString(),
		};
		const isToken = request.url === '/v1/oauth/token';
		if (isToken && this.tokenEcho === undefined) {
			const token = { access_token: this.sessionToken, clientId: 'a-client' };
			return { status: 200, text: JSON.stringify(token) };
		}
		const echo = (isToken ? this.tokenEcho : undefined) ?? this.echo;
		return { status: echo.status, text: echo.text(heard) };
	}
}
