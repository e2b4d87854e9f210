import { errorResponse, Refusal } from './refusal.mts';
import { simRequest, type SimRequest, type SimResponse } from './request.mts';
import { SimulatedService } from './http.mts';
import type { Outcome } from './service.mts';

/** With which key and token a request was made. */
export type Identity = 'account' | 'wrong key' | 'wrong token' | 'expired token';

/** What a service answered to a GET request, by path and query. */
export interface Exchange extends SimResponse {
	identity: Identity;
	url: string;
}

/** What `npm run probe -- --record` writes (docs/service.md#checking-an-account). */
export interface Recording {
	clientId: string;
	exchanges: Exchange[];
}

/** The simulated service with the answers of a recorded one. */
export class ReplayedService extends SimulatedService {
	override readonly clientId: string;
	private readonly exchanges = new Map<string, Exchange>();

	private constructor(recording: Recording) {
		super({});
		this.clientId = recording.clientId;
		for (const exchange of recording.exchanges.toReversed()) {
			for (const key of keysOf(simRequest('GET', exchange.url))) {
				this.exchanges.set(exchange.identity + key, exchange);
			}
		}
	}

	/** Starts it on a free port. */
	static async start(recording: Recording): Promise<ReplayedService> {
		const service = new ReplayedService(recording);
		await service.listen(0);
		return service;
	}

	override handle(request: SimRequest): Outcome {
		if (request.path === this.settings.tokenPath) return super.handle(request);
		const identity = this.identityOf(request);
		const found = keysOf(request).map((key) => this.exchanges.get(identity + key));
		const response = found.find((exchange) => exchange !== undefined);
		const refusal = new Refusal(404, `The recording has no ${request.url}`);
		return { response: response ?? errorResponse(refusal, 'gateway') };
	}

	private identityOf({ headers }: SimRequest): Identity {
		if (headers['ocp-apim-subscription-key'] !== this.subscriptionKey) return 'wrong key';
		const state = this.tokens.state((headers.authorization ?? '').replace(/^Bearer /, ''));
		return state === 'valid' ? 'account' : state === 'expired' ? 'expired token' : 'wrong token';
	}
}

/** How a request is found: as it is, or else with any page size, since a service may cap it. */
function keysOf({ path, query }: SimRequest): string[] {
	const { size: _, ...others } = query;
	return [query, others].map((each) => `${path} ${JSON.stringify(Object.entries(each).sort())}`);
}
