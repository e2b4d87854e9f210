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
import { remainingLength, requestUrl } from './credential/address';
import { CREDENTIAL, parseCredential, secretsOf, type Credential } from './credential/credential';
import { describeFailure } from './failures/describeFailure';
import { ServiceFailure, type Report } from './failures/errors';
import { Circuit, decideRetry, type GivenUp } from './failures/retry';
import { isRejectedToken } from './http/exchange';
import { RequestPool } from './http/pool';
import type { ApiRequest } from './responses/request';
import { readPage, readRecord, readResponse, type RecordPage } from './responses/responses';
import { pauseBeforeRenewal, sendRequest, type ServiceContext } from './token';

/** Waits are sliced, so that a cancelled execution stops within one slice. */
const WAIT_SLICE = 200;
/** Of a long value, more than is shown is redacted: a secret may begin in what is shown. */
const MAX_REDACTED = 500;
/** A 401 is answered with another token at most this often per request. */
const MAX_RENEWALS = 3;

/** How all requests of one execution are sent. */
interface ClientOptions {
	/** maximum number of parallel requests */
	parallel: number;
	/** timeout of a request in milliseconds */
	timeout: number;
	/** deadline for everything, on the monotonic clock; a wait beyond it becomes an error */
	deadline?: number;
}

/** All requests of one execution share a pool, a pause and a deadline. */
export class ServiceClient {
	private readonly pool: RequestPool;
	/** The `Date` header of the latest success that had one, in epoch milliseconds. */
	private serviceDate: number | undefined;
	/** IANA zone of the service's times without an offset. */
	readonly zone: string;
	private readonly credential: Credential;
	private readonly redactor: Redactor;
	private readonly circuit: Circuit;
	private readonly deadline: number;
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
		this.circuit = new Circuit(context, clock);
		this.deadline = options.deadline ?? Infinity;
		this.pool = new RequestPool(options.parallel, clock);
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

	/** A value of the service for a message or hint: redacted and shortened. */
	shown(value: unknown): string {
		return shortened(this.redactor.redact(toText(value).slice(0, MAX_REDACTED)));
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

	/** The time in epoch milliseconds: that of the service's latest success, or the local clock's. */
	get serviceTime(): number {
		return this.serviceDate ?? timeOfDay();
	}

	/** Whether the service has told its time. */
	get hasServiceTime(): boolean {
		return this.serviceDate !== undefined;
	}

	/** Sends a request, retries it if that is safe, and reads the response. */
	private async send<T>(request: ApiRequest, read: (body: unknown) => T): Promise<T> {
		const url = this.urlOf(request);
		return await this.pool.run(async (slot) => {
			const startedAt = this.clock.now();
			let renewals = 0;
			let rejectedToken: string | undefined;
			for (let attempts = 1; ; attempts++) {
				while (this.circuit.pauseLeft > 0) await this.wait(this.circuit.pauseLeft, request);
				this.throwIfAborted(request);
				const { blockedBy } = this.circuit;
				if (blockedBy !== undefined) throw this.failureOf(request, blockedBy);
				const exchange = { ...request, url, timeout: this.timeoutOf(request), rejectedToken };
				const sent = await sendRequest(this.context, this.credential, exchange, this.cancelSignal);
				sent.secrets.forEach((secret) => this.redactor.add(secret));
				this.throwIfAborted();
				const isRead = request.method === 'GET';
				const outcome = readResponse(sent.outcome, read, isRead);
				if ('value' in outcome) {
					this.serviceDate = parseHttpDate(outcome.headers.date) ?? this.serviceDate;
					this.circuit.onSuccess();
					slot.onSuccess();
					return outcome.value;
				}
				const isRenewable = this.credential.tokenRequest && this.circuit.allowsRenewal;
				if (isRejectedToken(outcome) && isRenewable && renewals++ < MAX_RENEWALS) {
					await this.wait(pauseBeforeRenewal(this.credential, sent.token), request);
					rejectedToken = sent.token;
					attempts--;
					continue;
				}
				const now = timeOfDay();
				const left = this.deadline - this.clock.now();
				const attempt = { outcome, attempts, now, left, isTriedOnce: request.isTriedOnce };
				const decision = decideRetry({ ...attempt, repeatable: isRead, random: Math.random() });
				const { credential, redactor } = this;
				const describe = (givenUp: GivenUp) =>
					describeFailure(outcome, { credential, redactor, attempts, now, decision: givenUp });
				this.circuit.onFailure(outcome, decision, startedAt, describe);
				if (decision.isThrottled === true) slot.onThrottled();
				if (!decision.retry) throw this.failureOf(request, describe(decision));
				await this.wait(decision.wait, request);
				await slot.takeTurn();
			}
		});
	}

	private timeoutOf({ timeout = this.options.timeout }: ApiRequest): number {
		const left = this.deadline - this.clock.now();
		// Signals accept whole milliseconds only.
		return Math.ceil(Math.max(1, Math.min(timeout, left)));
	}

	private failureOf({ purpose, itemIndex }: ApiRequest, report: Report): ServiceFailure {
		// The purpose may name what the service sent.
		return new ServiceFailure(this.redactor.redact(purpose), report, itemIndex);
	}

	/** The URL of a request. @throws if it is too long, or no URL can contain one of its values */
	urlOf({ path, query }: ApiRequest): string {
		return requestUrl(this.credential.base, path, query);
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
