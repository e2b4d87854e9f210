/**
 * The service, for one execution of a node. Invariant: every request ends as a parsed response or
 * as a failure in the editor's terms.
 */
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { systemClock, timeOfDay, type Clock } from '../values/clock';
import { parseHttpDate } from '../values/dates';
import { InputError, shorten } from '../values/inputError';
import { Redactor } from '../values/redact';
import { toText } from '../values/text';
import { remainingLength, requestUrl } from './address';
import { CREDENTIAL, findSecrets, parseCredential, type Credential } from './credential';
import { ServiceFailure } from './errors';
import { sendThroughN8n, type Answer, type ServiceContext } from './exchange';
import { classify, type Failure } from './failures';
import { Limiter } from './limiter';
import { describe } from './messages';
import type { ApiRequest, Call } from './request';
import { readPage, readRecord, readResponse, type Reader, type RecordPage } from './responses';
import { asksForTooLong, retryDelay } from './retry';
import { pauseAfterRejection } from './token';

/** Waits are sliced, so that a cancelled execution stops within one slice. */
const WAIT_SLICE = 200;
/** How long nothing is sent after the credential proved to be wrong (milliseconds). */
const CREDENTIAL_PAUSE = 60_000;
/** It is wrong if so many requests were rejected before any succeeded: one may lack a right. */
const MAX_REJECTIONS = 3;
/** Of a long value, more than is shown is redacted: a secret may begin in what is shown. */
const MAX_REDACTED = 10_000;

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
	/** How many requests failed since the service rejected the credential. */
	private rejections = 0;
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
		this.redactor = new Redactor(findSecrets(this.credential));
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
	buildUrl({ path, query }: ApiRequest): string {
		return requestUrl(this.credential.base, path, query);
	}

	/** A value of the service for a message or hint: redacted and shortened. */
	shown(value: unknown): string {
		return shorten(this.redactor.redact(toText(value).slice(0, MAX_REDACTED)));
	}

	/** The time in epoch milliseconds: that of the service's latest success, or the local clock's. */
	get serviceTime(): number {
		return this.serviceDate ?? timeOfDay();
	}

	/** Whether any response had a Date header. */
	get hasServiceTime(): boolean {
		return this.serviceDate !== undefined;
	}

	/** Waits, unless the execution ends first, or the signal is aborted. */
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

	/** Sends a request, retries it if that is safe, and reads the response. */
	private async send<T>(call: Call, read: Reader<T>): Promise<T> {
		const url = this.buildUrl(call);
		for (let attempts = 1; ; attempts++) {
			const attempt = async () => await this.attempt(call, url, read, attempts);
			const result = await this.limiter.run(attempt);
			if ('value' in result) return result.value;
			await this.wait(result.delay, call.signal);
		}
	}

	/**
	 * Sends a request once, as soon as the service accepts any. What follows for the others is settled
	 * before the next one is sent.
	 * @throws ServiceFailure if there is no other attempt
	 */
	private async attempt<T>(
		call: Call,
		url: string,
		read: Reader<T>,
		attempts: number,
	): Promise<{ value: T } | { delay: number }> {
		while (this.limiter.pauseLeft > 0) await this.wait(this.limiter.pauseLeft, call.signal);
		this.throwIfStopped(call.signal);
		const sentAt = this.clock.now();
		if (this.closed !== undefined && this.closed.until > sentAt)
			throw this.toError(call, this.closed.failure, { isClosed: true });
		const answer = await this.exchange(call, url, this.deadline - sentAt);
		this.throwIfStopped(call.signal);
		const response = readResponse(answer, read, call.method);
		if ('value' in response) {
			this.serviceDate = parseHttpDate(response.headers.date) ?? this.serviceDate;
			this.hasSucceeded = true;
			this.limiter.grow();
			return response;
		}
		// If it was of no use once to try a token again, n8n's own renewal has to be enough.
		const tokenPause =
			this.rejections === 0 ? pauseAfterRejection(this.credential, Math.random()) : undefined;
		const failure = classify(response, { ...call, tokenPause });
		const left = this.deadline - this.clock.now();
		const { isTokenRequest, slowsDown, retryAfter = 0 } = failure;
		if (slowsDown && !isTokenRequest) this.limiter.halve(sentAt);
		if (slowsDown && !asksForTooLong(failure, left)) this.limiter.pause(retryAfter);
		const delay = retryDelay(failure, attempts, left, Math.random());
		if (delay === undefined) throw this.giveUp(call, failure, attempts, left);
		// Those that wait for a token together share the next token request.
		if (isTokenRequest) this.limiter.pause(delay);
		return { delay };
	}

	/** @param left time until the deadline, in milliseconds */
	private async exchange(call: Call, url: string, left: number): Promise<Answer> {
		const { cancelSignal, credential } = this;
		const { signal, timeout = this.options.timeout } = call;
		const deadline = left === Infinity ? undefined : AbortSignal.timeout(toTime(left));
		const ends = [signal, cancelSignal, deadline].filter((each) => each !== undefined);
		return await sendThroughN8n(this.context, {
			...call,
			url,
			timeout: toTime(Math.min(timeout, left)),
			signal: AbortSignal.any(ends),
			renewsToken: credential.tokenRequest !== undefined,
			onSend: (sentWith) => this.redactor.add(findSecrets(sentWith)),
		});
	}

	/** The error for a request that is not tried again; others would fail alike if it closes the client. */
	private giveUp(call: Call, failure: Failure, attempts: number, left: number): ServiceFailure {
		const isClosed = asksForTooLong(failure, left);
		const isRejected = failure.row.cause === 'credential-invalid';
		if (isRejected) this.rejections++;
		const isWrong = this.rejections >= MAX_REJECTIONS && !this.hasSucceeded;
		if (isClosed || failure.isTokenRequest || isWrong) {
			const wait = isClosed ? (failure.retryAfter ?? 0) : CREDENTIAL_PAUSE;
			// What is not sent has no unknown outcome.
			const others = { ...failure, isOutcomeUnknown: false };
			this.closed = { failure: others, until: this.clock.now() + wait };
		}
		return this.toError(call, failure, { attempts, isClosed });
	}

	private toError(
		{ purpose, itemIndex }: Call,
		failure: Failure,
		circumstances: { attempts?: number; isClosed: boolean },
	): ServiceFailure {
		const { credential, redactor } = this;
		const report = describe(failure, { credential, redactor, ...circumstances });
		// The purpose may name what the service sent.
		return new ServiceFailure(redactor.redact(purpose), report, itemIndex);
	}

	private throwIfStopped(signal?: AbortSignal): void {
		const isAborted = [signal, this.cancelSignal].some((each) => each?.aborted === true);
		if (!this.stopped && !isAborted) return;
		throw new InputError('The execution was stopped', 'No further requests were sent');
	}

	private get cancelSignal(): AbortSignal | undefined {
		const { context } = this;
		return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}
}

/** Signals accept whole milliseconds only, and no negative ones. */
function toTime(milliseconds: number): number {
	return Math.ceil(Math.max(1, milliseconds));
}
