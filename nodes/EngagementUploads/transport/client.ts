/**
 * The service, for one execution of a node. Invariant: every request ends as a parsed response or
 * as a failure in the editor's terms.
 */
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { systemClock, timeOfDay, type Clock } from '../values/clock';
import { parseHttpDate } from '../values/dates';
import { InputError, shortened } from '../values/inputError';
import { Redactor } from '../values/redact';
import { toText } from '../values/text';
import { remainingLength, requestUrl } from './address';
import { CREDENTIAL, parseCredential, secretsOf, type Credential } from './credential';
import { ServiceFailure } from './errors';
import { sendThroughN8n, type ServiceContext } from './exchange';
import { classify, type Failure } from './failures';
import { Limiter } from './limiter';
import { describe } from './messages';
import type { ApiRequest } from './request';
import { readPage, readRecord, readResponse, type RecordPage } from './responses';
import { asksForTooLong, isFree, retryDelay } from './retry';

/** Waits are sliced, so that a cancelled execution stops within one slice. */
const WAIT_SLICE = 200;
/** A failed request is tried for no longer (milliseconds), however often the service asks to wait. */
const MAX_TIME = 10 * 60_000;
/** How long nothing is sent after the credential proved to be wrong (milliseconds). */
const CREDENTIAL_PAUSE = 60_000;
/** Of a long value, more than is shown is redacted: a secret may begin in what is shown. */
const MAX_REDACTED = 500;

/** How all requests of one execution are sent. */
interface ClientOptions {
	/** maximum number of parallel requests */
	parallel: number;
	/** timeout of a request in milliseconds */
	timeout: number;
	/** deadline for everything, on the monotonic clock; a wait beyond it becomes an error */
	deadline?: number;
}

/** All requests of one execution share a limit, a pause and a deadline. */
export class ServiceClient {
	/** IANA zone of the service's times without an offset. */
	readonly zone: string;
	private readonly credential: Credential;
	private readonly redactor: Redactor;
	private readonly limiter: Limiter;
	private readonly deadline: number;
	/** The `Date` header of the latest success that had one, in epoch milliseconds. */
	private serviceDate: number | undefined;
	private hasSucceeded = false;
	/** Why no more requests are sent: the credential is wrong, or the service asks for too long a wait. */
	private closed: { failure: Failure; until: number } | undefined;
	private stopped = false;

	constructor(
		private readonly context: ServiceContext,
		data: ICredentialDataDecryptedObject,
		readonly options: ClientOptions,
		private readonly clock: Clock = systemClock,
	) {
		this.credential = parseCredential(data);
		this.zone = this.credential.zone;
		this.redactor = new Redactor(secretsOf(this.credential));
		this.deadline = options.deadline ?? Infinity;
		this.limiter = new Limiter(options.parallel, clock);
	}

	static async open(context: ServiceContext, options: ClientOptions): Promise<ServiceClient> {
		return new ServiceClient(context, await context.getCredentials(CREDENTIAL), options);
	}

	/** Stops all further requests. */
	stop(): void {
		this.stopped = true;
	}

	/** Characters left in the longest allowed URL after a request's path, query and page. */
	remainingLength({ path, query }: ApiRequest): number {
		return remainingLength(this.credential.base, path, query);
	}

	/** The URL of a request. @throws if it is too long, or no URL can contain one of its values */
	urlOf({ path, query }: ApiRequest): string {
		return requestUrl(this.credential.base, path, query);
	}

	/** A value of the service for a message or hint: redacted and shortened. */
	shown(value: unknown): string {
		return shortened(this.redactor.redact(toText(value).slice(0, MAX_REDACTED)));
	}

	/** The time in epoch milliseconds: that of the service's latest success, or the local clock's. */
	get serviceTime(): number {
		return this.serviceDate ?? timeOfDay();
	}

	/** Whether any response had a Date header. */
	get hasServiceTime(): boolean {
		return this.serviceDate !== undefined;
	}

	/** Waits, unless the execution, or what the request is for, ends first. */
	async wait(milliseconds: number, request?: ApiRequest): Promise<void> {
		const end = this.clock.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = end - this.clock.now()) {
			this.throwIfAborted(request);
			await this.clock.sleep(Math.min(left, WAIT_SLICE));
		}
		this.throwIfAborted(request);
	}

	/** Fetches one page of a list. */
	async page<T extends IDataObject>(request: ApiRequest<T>): Promise<RecordPage<T>> {
		return await this.send(request, (body) => readPage(body, request.kind));
	}

	/** Fetches one record. */
	async record<T extends IDataObject>(request: ApiRequest<T>): Promise<T> {
		return await this.send(request, (body) => readRecord(body, request.kind));
	}

	/** Sends a request, retries it if that is safe, and reads the response. */
	private async send<T>(request: ApiRequest, read: (body: unknown) => T): Promise<T> {
		const url = this.urlOf(request);
		let attempts = 0;
		let failedAt: number | undefined;
		for (;;) {
			const result = await this.limiter.run(async () => await this.attempt(request, url, read));
			if ('value' in result) return result.value;
			if (!isFree(result)) attempts++;
			failedAt ??= this.clock.now();
			const left = Math.min(this.deadline, failedAt + MAX_TIME) - this.clock.now();
			const delay = retryDelay(result, attempts, left, Math.random());
			if (delay === undefined) throw this.giveUp(request, result, attempts, left);
			await this.wait(delay, request);
		}
	}

	/** Sends a request once, as soon as the service accepts any. */
	private async attempt<T>(
		request: ApiRequest,
		url: string,
		read: (body: unknown) => T,
	): Promise<{ value: T } | Failure> {
		while (this.limiter.pauseLeft > 0) await this.wait(this.limiter.pauseLeft, request);
		this.throwIfAborted(request);
		const { closed, limiter } = this;
		const sentAt = this.clock.now();
		if (closed !== undefined && closed.until > sentAt)
			throw this.failureOf(request, closed.failure, { isClosed: true });
		const answer = await sendThroughN8n(this.context, {
			...request,
			url,
			timeout: this.timeoutOf(request),
			cancelled: this.cancelSignal,
			onSend: (credential) => this.redactor.add(secretsOf(credential)),
		});
		this.throwIfAborted();
		const response = readResponse(answer, read, request.method === 'GET');
		if ('value' in response) {
			this.serviceDate = parseHttpDate(response.headers.date) ?? this.serviceDate;
			this.hasSucceeded = true;
			limiter.grow();
			return response;
		}
		const renewsToken = this.credential.tokenRequest !== undefined;
		const failure = classify(response, { ...request, renewsToken });
		if (failure.slowsDown) limiter.halve(sentAt);
		const isTooLong = asksForTooLong(failure, this.deadline - this.clock.now());
		if (failure.slowsDown && !isTooLong) limiter.pause(failure.retryAfter ?? 0);
		return failure;
	}

	/** The error for a request that is not tried again; others would fail alike if it closes the client. */
	private giveUp(
		request: ApiRequest,
		failure: Failure,
		attempts: number,
		left: number,
	): ServiceFailure {
		const isClosed = asksForTooLong(failure, left);
		const isCredentials = failure.kind === 'unauthorized' && !this.hasSucceeded;
		if (isClosed || failure.isTokenRequest || isCredentials) {
			const wait = isClosed ? (failure.retryAfter ?? 0) : CREDENTIAL_PAUSE;
			// What is not sent has no unknown outcome.
			const others = { ...failure, isOutcomeUnknown: false };
			this.closed = { failure: others, until: this.clock.now() + wait };
		}
		return this.failureOf(request, failure, { attempts, isClosed });
	}

	private failureOf(
		{ purpose, itemIndex }: ApiRequest,
		failure: Failure,
		circumstances: { attempts?: number; isClosed: boolean },
	): ServiceFailure {
		const { credential, redactor } = this;
		const report = describe(failure, { credential, redactor, ...circumstances });
		// The purpose may name what the service sent.
		return new ServiceFailure(redactor.redact(purpose), report, itemIndex);
	}

	private timeoutOf({ timeout = this.options.timeout }: ApiRequest): number {
		const left = this.deadline - this.clock.now();
		// Signals accept whole milliseconds only.
		return Math.ceil(Math.max(1, Math.min(timeout, left)));
	}

	private throwIfAborted({ isWanted = () => true }: Partial<ApiRequest> = {}): void {
		if (!this.stopped && this.cancelSignal?.aborted !== true && isWanted()) return;
		throw new InputError('The execution was stopped', 'No further requests were sent');
	}

	private get cancelSignal(): AbortSignal | undefined {
		const { context } = this;
		return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}
}
