import { respond } from './respond.mts';
import { faultResponse, Faults, type Fault, type Match, type WireFault } from './faults.mts';
import { RequestLog, type RecordedRequest } from './log.mts';
import { ServiceModel } from './model.mts';
import { RateLimit } from './rateLimit.mts';
import { CLIENT_ID } from './records.mts';
import { errorResponse } from './refusal.mts';
import { simRequest, type SimResponse, type SimRequest } from './request.mts';
import { addSampleData } from './sample.mts';
import { defaultSettings, type Settings } from './settings.mts';
import { Tokens } from './tokens.mts';

/** Initial setup of a service. */
export interface ServiceOptions {
	settings?: Partial<Settings>;
	/** Whether to fill the model with sample data. */
	sample?: boolean;
	/** Whether to record requests for tests (default true). */
	record?: boolean;
}

/** The outcome of a request: a response, or a fault in sending it (with the response, if any). */
export interface Outcome {
	response?: SimResponse;
	wire?: WireFault;
}

/** The simulated service without HTTP. */
export class Service {
	readonly clientId = CLIENT_ID;
	readonly tokenPath = '/v1/oauth/token';
	// Secrets end unlike any hexadecimal ID, in which six digits may be the same by chance.
	readonly subscriptionKey = 'subscription-key-5d0b7a1e93wq7zvx';
	/** The fields of a valid token request. */
	readonly tokenRequestFields = {
		grant_type: 'vapi_key',
		key: 'api-key-8f2c6e04b7kx5vqz',
	} as const;
	readonly settings: Settings;
	readonly model: ServiceModel;
	readonly tokens = new Tokens();
	/** A token that is valid from the start. */
	readonly accessToken: string;
	protected readonly log: RequestLog;
	private readonly faults = new Faults();
	private readonly rateLimit = new RateLimit();

	constructor({ settings = {}, sample = false, record = true }: ServiceOptions = {}) {
		this.settings = { ...defaultSettings(), ...settings };
		this.model = new ServiceModel(this.settings);
		this.log = new RequestLog(record);
		this.accessToken = this.issueToken();
		if (sample) addSampleData(this.model);
	}

	/** The requests since the last `clearRequests`, in order. */
	get requests(): readonly RecordedRequest[] {
		return this.log.requests;
	}

	/** The maximum number of requests in flight since the last `clearRequests`. */
	get mostAtOnce(): number {
		return this.log.mostAtOnce;
	}

	clearRequests(): void {
		this.log.clear();
	}

	/** Makes the next `times` matching requests, after skipping `skip`, meet a fault. */
	fail(match: Match, fault: Fault, options: { times?: number; skip?: number } = {}): void {
		this.faults.add(match, fault, options);
	}

	clearFaults(): void {
		this.faults.clear();
	}

	/** A new access token. */
	issueToken(): string {
		return this.tokens.issue(this.clientId, this.settings.tokenLifetimeMs);
	}

	/** Expires all tokens, including `accessToken`. */
	expireTokens(): void {
		this.tokens.expireAll();
	}

	/** Handles a request: rate limit and faults first, then the response. */
	handle(request: SimRequest): Outcome {
		const limited = this.rateLimit.refusal(this.settings.rateLimit);
		if (limited) return { response: this.dated(errorResponse(limited)) };
		const fault = this.faults.take(request);
		if (!fault) return { response: this.dated(respond(this, request)) };
		const given = faultResponse(fault);
		const isWire = 'kind' in given;
		const needsResponse = isWire && given.kind !== 'reset' && given.kind !== 'hang';
		const processed = fault.afterProcessing || needsResponse ? respond(this, request) : undefined;
		if (!isWire) return { response: this.dated(given) };
		return { wire: given, response: processed && this.dated(processed) };
	}

	/** Asks the service itself, with valid headers. @throws if a fault leaves it without a response */
	ask(method: string, url: string): SimResponse {
		const headers = {
			authorization: `Bearer ${this.issueToken()}`,
			'ocp-apim-subscription-key': this.subscriptionKey,
		};
		const { response, wire } = this.handle(simRequest(method, url, headers));
		if (response === undefined) throw new Error(`Simulated ${wire?.kind}`);
		return response;
	}

	private dated(given: SimResponse): SimResponse {
		const date = new Date(this.model.now).toUTCString();
		return { ...given, headers: { date, ...given.headers } };
	}
}
