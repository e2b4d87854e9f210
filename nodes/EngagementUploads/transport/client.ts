/**
 * The service, for one execution of a node. Invariant: every request ends as a parsed response or
 * as an error in the editor's terms.
 */
import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
} from 'n8n-workflow';
import { parseJson } from '../values/objects';
import { serviceBase, serviceZone } from './address';
import {
	readPage,
	readRecord,
	UnreadableResponse,
	type RecordKind,
	type RecordPage,
} from './responses';
import { Deadlines } from './deadlines';
import { circuitAfter, TOKEN_RETRY_AFTER, type OpenCircuit } from './circuit';
import { ErrorReporter, type RequestInfo } from './errorReporter';
import { inputError } from './errors';
import {
	CREDENTIAL,
	isSuccess,
	sendRequest,
	toAttemptFailure,
	type HttpOutcome,
	type ServiceContext,
} from './http';
import { RequestPool, systemClock, type Clock, type Slot } from './pool';
import { decideRetry, FINAL, MAX_RETRY_AFTER, type RetryDecision } from './retry';
import { MAX_URL_LENGTH, remainingLength, urlLength, withQuery, type Query } from './url';

/** A request to an endpoint (docs/service.md), and the kind of records it returns. */
export interface ApiRequest<T extends IDataObject = IDataObject> extends RequestInfo {
	path: string;
	query?: Query;
	body?: IDataObject;
	kind: RecordKind<T>;
	/** milliseconds; the client's own by default */
	timeout?: number;
	/** Once this returns false, the request is neither sent nor retried. */
	isWanted?(): boolean;
	/** Follows up on an earlier request, so it is sent ahead of queued ones. */
	isFollowUp?: boolean;
}

/** A parsed response, and the service's own time (`Date` header, epoch ms) if it sent one. */
interface ParsedResponse {
	body: unknown;
	serviceTime?: number;
}

export interface ClientOptions {
	/** maximum number of parallel requests */
	parallel: number;
	/** timeout of a request in milliseconds */
	timeout: number;
	/** deadline for everything (epoch ms); a wait beyond it becomes an error */
	deadline?: number;
}

/** All requests of one execution share a pool, a pause and a deadline. */
export class ServiceClient {
	readonly pool: RequestPool;
	/** IANA zone of the service's times without an offset. */
	readonly zone: string;
	private readonly reporter: ErrorReporter;
	private readonly deadlines: Deadlines;
	private readonly base: string;
	private stopped = false;
	private tokenRejectedAt = -Infinity;
	private openCircuit: OpenCircuit | undefined;
	private latestServiceTime: number | undefined;

	constructor(
		private readonly context: ServiceContext,
		private readonly credential: ICredentialDataDecryptedObject,
		readonly options: ClientOptions,
		private readonly clock: Clock = systemClock,
	) {
		try {
			this.base = serviceBase(credential.baseUrl);
			this.zone = serviceZone(credential.timeZone);
		} catch (error) {
			throw new NodeOperationError(context.getNode(), error as Error);
		}
		this.reporter = new ErrorReporter(context, credential);
		this.deadlines = new Deadlines(this.cancelSignal);
		this.pool = new RequestPool(options.parallel, clock, () => this.throwIfAborted());
	}

	static async open(context: ServiceContext, options: ClientOptions): Promise<ServiceClient> {
		return new ServiceClient(context, await context.getCredentials(CREDENTIAL), options);
	}

	/** Stops all further requests. */
	stop(): void {
		this.stopped = true;
	}

	/** Characters left in the longest allowed URL after this path, query and page parameters. */
	remainingLength(target: string): number {
		return remainingLength(`${this.base}${target}`);
	}

	/** Fetches one page of a list. */
	async page<T extends IDataObject>(
		request: ApiRequest<T>,
	): Promise<RecordPage<T> & { serviceTime?: number }> {
		const { body, serviceTime } = await this.send(request);
		const page = await this.readable(request, body, readPage(body, request.kind));
		return { ...page, serviceTime };
	}

	/** The current time in epoch milliseconds: the service's own, to the second, if it sends it. */
	get serviceTime(): number {
		return this.latestServiceTime ?? this.clock.now();
	}

	/** Fetches one record. */
	async record<T extends IDataObject>(request: ApiRequest<T>): Promise<T> {
		const { body } = await this.send(request);
		return await this.readable(request, body, readRecord(body, request.kind));
	}

	/** Sends a request, retries it if that is safe, and parses the response. */
	private async send(request: ApiRequest): Promise<ParsedResponse> {
		const url = this.urlOf(request);
		return await this.pool.run(async (slot) => {
			for (let attempts = 1; ; attempts++) {
				await this.pool.ready();
				this.throwIfAborted(request);
				const options = this.attemptOptions(request);
				const fail = async (outcome: HttpOutcome, decision: RetryDecision) =>
					await this.reporter.failure(
						request,
						{ outcome, decision, attempts, ...options },
						this.clock.now(),
					);
				const circuit = this.openCircuit;
				if (circuit !== undefined && this.clock.now() < circuit.until)
					throw await fail(circuit.outcome, circuit.decision);
				const exchange = { ...request, ...options, url };
				const outcome = await sendRequest(this.context, this.credential, exchange, this.deadlines);
				this.throwIfAborted();
				if ('status' in outcome && isSuccess(outcome.status)) {
					slot.onSuccess();
					return await this.parse(request, outcome);
				}
				const decision = this.decide(request, outcome, attempts);
				this.handleFailure(slot, outcome, decision);
				if (!decision.retry) throw await fail(outcome, decision);
				await this.pool.wait(decision.wait, () => this.throwIfAborted(request));
				await slot.takeTurn();
			}
		}, request.isFollowUp);
	}

	private attemptOptions({ timeout = this.options.timeout }: ApiRequest) {
		const left = (this.options.deadline ?? Infinity) - this.clock.now();
		const usesEndpoint = this.credential.authentication === 'tokenEndpoint';
		const renewToken = usesEndpoint && this.clock.now() - this.tokenRejectedAt > TOKEN_RETRY_AFTER;
		// Signals accept whole milliseconds only.
		return { timeout: Math.ceil(Math.max(1, Math.min(timeout, left))), renewToken };
	}

	private decide(request: ApiRequest, outcome: HttpOutcome, attempts: number): RetryDecision {
		const failure = toAttemptFailure(outcome);
		if (failure === undefined) return FINAL;
		const now = this.clock.now();
		const repeatable = request.method === 'GET' || 'refused' in outcome;
		const random = Math.random();
		const decision = decideRetry({ failure, repeatable, attempts, now, random });
		const { deadline = Infinity } = this.options;
		if (!decision.retry || now + decision.wait < deadline) return decision;
		const reason = decision.retryAfter === undefined ? 'exhausted' : 'tooLong';
		return { retry: false, reason, until: now + decision.wait };
	}

	/** Applies what a failure means for the other requests. */
	private handleFailure(slot: Slot, outcome: HttpOutcome, decision: RetryDecision): void {
		const { retryAfter = 0 } = decision;
		const { deadline = Infinity } = this.options;
		if (retryAfter <= MAX_RETRY_AFTER && this.clock.now() + retryAfter < deadline)
			this.pool.pause(retryAfter);
		// Slows down after an unknown outcome too, so that as few writes as possible end that way.
		if (decision.retry ? decision.throttled : decision.reason === 'unknownOutcome')
			slot.onThrottled();
		if (decision.retry) {
			// Requests without a token retry together, so that they share one fetch.
			if ('refused' in outcome) this.pool.pause(decision.wait);
			return;
		}
		const now = this.clock.now();
		this.openCircuit = circuitAfter(outcome, decision, now) ?? this.openCircuit;
		if ('status' in outcome && outcome.status === 401) this.tokenRejectedAt = now;
	}

	private async parse(
		request: ApiRequest,
		{ text, headers }: Extract<HttpOutcome, { text: string }>,
	): Promise<ParsedResponse> {
		const body = parseJson(text);
		if (body === undefined) throw await this.reporter.unreadable(request, text);
		const time = Date.parse(String(headers.date ?? ''));
		if (!Number.isNaN(time)) this.latestServiceTime = time;
		return { body, ...(!Number.isNaN(time) && { serviceTime: time }) };
	}

	private async readable<T>(
		request: ApiRequest,
		body: unknown,
		parsed: T | UnreadableResponse,
	): Promise<T> {
		if (!(parsed instanceof UnreadableResponse)) return parsed;
		throw await this.reporter.unreadable(request, JSON.stringify(body), parsed.why);
	}

	private urlOf({ path, query = {}, itemIndex }: ApiRequest): string {
		const url = withQuery(`${this.base}${path}`, query);
		if (urlLength(url) <= MAX_URL_LENGTH) return url;
		throw inputError(
			this.context.getNode(),
			`The values entered are too long for one request (${urlLength(url)} of at most ${MAX_URL_LENGTH} characters)`,
			'Shorten them, or split them across several items',
			itemIndex,
		);
	}

	private throwIfAborted({ isWanted = () => true }: Partial<ApiRequest> = {}): void {
		if (!this.stopped && !this.isCancelled() && isWanted()) return;
		throw inputError(
			this.context.getNode(),
			'The execution was stopped',
			'No further requests were sent',
		);
	}

	private isCancelled(): boolean {
		return this.cancelSignal?.aborted === true;
	}

	private get cancelSignal(): AbortSignal | undefined {
		const { context } = this;
		return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}
}
