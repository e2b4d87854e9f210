/**
 * The service, for one execution of a node. Invariant: every request ends with a record or page, or with a
 * failure in the editor's terms.
 */
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { SECOND, systemClock, timeOfDay, type Clock } from '../values/clock';
import { toUuid } from '../values/ids';
import { InputError, shorten } from '../values/inputError';
import { Redactor } from '../values/redact';
import { fingerprint, foldCase, toText } from '../values/text';
import { CREDENTIAL, listSecrets, parseCredential, type Credential } from './credential';
import { ServiceFailure } from './errors';
import { sendThroughN8n, toTimeout, type ServiceContext } from './exchange';
import { classify, type Ending, type Failure } from './failures';
import { CircuitBreaker, Limiter } from './limiter';
import { describe } from './messages';
import { requestUrl, type Call, type Optional } from './request';
import { readPage, readRecord, readResponse, type Reader, type RecordPage } from './responses';
import { retryDelay } from './retry';

/** Longest uninterrupted wait, so that a cancelled execution stops soon. */
const WAIT_SLICE = 200;

/** How all requests of one execution are sent. */
interface ClientOptions {
	/** maximum number of parallel requests */
	parallel: number;
	/** timeout of a request in milliseconds */
	timeout: number;
	/** end of all requests and waits, on the monotonic clock */
	deadline: number;
}

const DEFAULTS: ClientOptions = { parallel: 64, timeout: 100 * SECOND, deadline: Infinity };

/** All requests of one execution share a limit, a pause and a deadline. */
export class ServiceClient {
	/** IANA zone of the service's times without an offset. */
	readonly zone: string;
	private readonly credential: Credential;
	private readonly redactor: Redactor;
	private readonly limiter: Limiter;
	private readonly breaker: CircuitBreaker;
	/** The `Date` header of the latest success that had one, in epoch milliseconds. */
	private serviceDate: number | undefined;
	/** Parameters that the service refused for one list, and that are left out of all later ones. */
	readonly leftOut = new Set<Optional>();
	/** What users should know about the lists that were read. */
	readonly notices = new Set<string>();
	/** The client ID with which requests are sent; it may come with a token. */
	private sentClientId = '';
	readonly options: ClientOptions;
	private stopped = false;

	constructor(
		private readonly context: ServiceContext,
		data: ICredentialDataDecryptedObject,
		options: Partial<ClientOptions> = {},
		private readonly clock: Clock = systemClock,
	) {
		this.options = { ...DEFAULTS, ...options };
		this.credential = parseCredential(data);
		this.zone = this.credential.zone;
		this.redactor = new Redactor(listSecrets(this.credential));
		this.limiter = new Limiter(this.options.parallel, clock);
		this.breaker = new CircuitBreaker(clock);
	}

	static async open(
		context: ServiceContext,
		options?: Partial<ClientOptions>,
	): Promise<ServiceClient> {
		return new ServiceClient(context, await context.getCredentials(CREDENTIAL), options);
	}

	/** Stops all further requests. */
	stop(): void {
		this.stopped = true;
	}

	/** The ID of the client whose records are requested; empty until a token reveals it. */
	get clientId(): string {
		return toUuid(foldCase(this.sentClientId || this.credential.clientId));
	}

	/** A fingerprint of the account, known before anything is sent; it does not reveal the key. */
	get account(): string {
		const { base, subscriptionKey, clientId } = this.credential;
		return fingerprint(JSON.stringify([base, subscriptionKey, clientId]));
	}

	/** A value from the service, redacted and shortened for a message or hint. */
	toSafeText(value: unknown): string {
		return shorten(this.redactor.redact(toText(value)));
	}

	/** The service's time in epoch milliseconds, or that of this computer if no response had a date. */
	get serviceTime(): number {
		return this.serviceDate ?? timeOfDay();
	}

	/** Waits. @throws if the execution ends or the signal is aborted meanwhile */
	async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
		const end = this.clock.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = end - this.clock.now()) {
			this.throwIfStopped(signal);
			await this.clock.sleep(Math.min(left, WAIT_SLICE));
		}
		this.throwIfStopped(signal);
	}

	/** Fetches one page of a list. */
	async page<T extends IDataObject>(call: Call<T>): Promise<RecordPage<T>> {
		return await this.send(call, (body) => readPage(body, call.kind));
	}

	/** Fetches one record. */
	async record<T extends IDataObject>(call: Call<T>): Promise<T> {
		return await this.send(call, (body) => readRecord(body, call.kind));
	}

	/** Sends a request, and retries it if that is useful and safe. */
	private async send<T>(call: Call, read: Reader<T>): Promise<T> {
		const url = requestUrl(this.credential.base, call.path, call.query);
		for (let attempt = 1; ; attempt++) {
			const result = await this.limiter.run(
				async () => await this.attempt(call, url, read, attempt),
			);
			if ('value' in result) return result.value;
			await this.wait(result.delay, call.signal);
		}
	}

	/**
	 * Sends a request once. Returns what was asked for, or after how long to try again. What a failure means
	 * for other requests takes effect before the next one is sent.
	 * @throws ServiceFailure if there is no other attempt
	 */
	private async attempt<T>(
		call: Call,
		url: string,
		read: Reader<T>,
		attempt: number,
	): Promise<{ value: T } | { delay: number }> {
		await this.untilReady(call);
		const sentAt = this.clock.now();
		const ending = await this.exchange(call, url);
		this.throwIfStopped(call.signal);
		const response = readResponse(ending, read);
		if ('value' in response) {
			this.noteSuccess(response.headers);
			return response;
		}
		const failure = classify(response, { ...call, fetchesToken: this.fetchesToken });
		// After one request has failed despite new tokens, others are not retried for this reason; n8n still renews theirs.
		const isInVain = failure.kind === 'newTokenRejected' && this.breaker.wasRejected;
		const isFinal = isInVain || call.final?.includes(failure.status ?? 0);
		const delay = isFinal ? undefined : this.delayAfter(failure, attempt);
		this.slowDown(failure, sentAt, delay);
		if (delay !== undefined && failure.isRetryable) return { delay };
		throw this.toError(call, failure, attempt, this.breaker.noteFailure(failure, this.timeLeft));
	}

	/** After how long the same request would be sent again, if waiting may help; a write may still not be. */
	private delayAfter(failure: Failure, attempt: number): number | undefined {
		const isRetryable = failure.isRetryable === true || failure.mayPass === true;
		return retryDelay({ ...failure, isRetryable }, attempt, this.timeLeft, this.clock.random());
	}

	/** Waits for the end of any pause. @throws if nothing is sent any more */
	private async untilReady(call: Call): Promise<void> {
		for (;;) {
			this.throwIfStopped(call.signal);
			const trip = this.breaker.trippedBy;
			// It is not sent, so its outcome is known.
			if (trip) throw this.toError(call, { ...trip.failure, isOutcomeUnknown: false }, 0, trip);
			const { pauseLeft } = this.limiter;
			if (pauseLeft === 0) return;
			await this.wait(pauseLeft, call.signal);
		}
	}

	private async exchange(call: Call, url: string): Promise<Ending> {
		const { cancelSignal, fetchesToken, timeLeft } = this;
		const { signal } = call;
		const deadline = timeLeft === Infinity ? undefined : AbortSignal.timeout(toTimeout(timeLeft));
		const ends = [signal, cancelSignal, deadline].filter((each) => each !== undefined);
		return await sendThroughN8n(this.context, {
			...call,
			url,
			timeout: toTimeout(Math.min(this.options.timeout, timeLeft)),
			signal: AbortSignal.any(ends),
			renewsToken: fetchesToken,
			onSend: (sentWith) => {
				this.sentClientId = sentWith.clientId;
				this.redactor.add(listSecrets(sentWith));
			},
		});
	}

	private noteSuccess({ date }: Record<string, unknown>): void {
		this.serviceDate = Date.parse(String(date)) || this.serviceDate;
		this.breaker.noteSuccess();
	}

	/** Lets other requests wait, or fewer of them run at once, if the failure says so. */
	private slowDown(failure: Failure, sentAt: number, delay = 0): void {
		const { asksToSlowDown, isTokenRequest, fault } = failure;
		if (asksToSlowDown && !isTokenRequest) this.limiter.halve(sentAt);
		// A timeout may concern only this request. That of a token request pauses all, so that they share the next fetch.
		if (isTokenRequest || fault !== 'timeout') this.limiter.pause(delay);
	}

	/** The error for a request that is not retried; `trip` if all others would fail alike. */
	private toError(
		call: Call,
		failure: Failure,
		attempts: number,
		trip?: CircuitBreaker['trippedBy'],
	) {
		const { credential, redactor } = this;
		const until = trip?.until;
		const texts = describe(failure, { credential, redactor, attempts, until });
		const fault = trip === undefined ? failure.fault : 'access';
		// The body may contain a secret, and the purpose a value from the service.
		const shown = { ...failure, body: undefined, fault, until };
		return new ServiceFailure(redactor.redact(call.purpose), shown, texts);
	}

	private throwIfStopped(signal?: AbortSignal): void {
		const isAborted = [signal, this.cancelSignal].some((each) => each?.aborted === true);
		if (!this.stopped && !isAborted) return;
		throw new InputError('The execution was stopped', 'No further requests were sent');
	}

	/** Milliseconds until the deadline. */
	private get timeLeft(): number {
		return this.options.deadline - this.clock.now();
	}

	/** Whether n8n fetches another token after a 401. */
	private get fetchesToken(): boolean {
		return this.credential.tokenRequest !== undefined;
	}

	private get cancelSignal(): AbortSignal | undefined {
		const { context } = this;
		return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}
}
