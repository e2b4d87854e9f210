/**
 * One authenticated request, with all that the failure table of the contract asks of it. Invariant:
 * whatever comes of a request, it ends as a parsed answer or as an error in GUI words.
 */
import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
} from 'n8n-workflow';
import { serviceBase, serviceZone } from './address';
import { inputError } from './errors';
import {
	CREDENTIAL,
	exchange,
	isSuccess,
	troubleOf,
	type Exchange,
	type ServiceContext,
} from './http';
import {
	isTooDeep,
	readPage,
	readRecord,
	UnreadableAnswer,
	type RecordKind,
	type RecordPage,
} from './answers';
import { closedUntil, decide, LONGEST_WAIT, type Decision } from './retry';
import { RequestPool, systemClock, type Clock } from './pool';
import { Telling, type Told } from './errorReporter';
import { lengthOf, LONGEST_URL, roomBehind, withQuery, type Query } from './url';

/** What is asked of the service (interface section 4). */
export interface Call extends Told {
	path: string;
	query?: Query;
	body?: IDataObject;
	/** milliseconds; without it, that of the service */
	timeout?: number;
	/** Once it is not, the request is not sent, nor sent again. */
	isWanted?(): boolean;
}

/** An answer of the service: its JSON, and its own time (`Date` header, epoch ms) if it told it. */
export interface Answer {
	body: unknown;
	serviceTime?: number;
}

export interface ServiceOptions {
	/** most requests at once */
	parallel: number;
	/** milliseconds that a request may take */
	timeout: number;
	/** epoch ms by which all must be done; waits that reach beyond it become errors */
	deadline?: number;
}

/** After a new token was refused, or none could be had, no other is fetched for a minute. */
const REFUSED_FOR = 60_000;
const FINAL: Decision = { again: false, why: 'final' };

/** The service as one execution sees it: its requests share one pool, one pause and one end. */
export class ServiceClient {
	readonly pool: RequestPool;
	/** Times of the service without an offset are in this IANA zone. */
	readonly zone: string;
	readonly telling: Telling;
	private readonly base: string;
	private stopped = false;
	private newTokenRefusedAt = -Infinity;
	/** What every request meets until then, so that none is sent (epoch ms). */
	private standing: { outcome: Exchange; next: Decision; until: number } | undefined;

	constructor(
		private readonly context: ServiceContext,
		private readonly credential: ICredentialDataDecryptedObject,
		readonly options: ServiceOptions,
		private readonly clock: Clock = systemClock,
	) {
		try {
			this.base = serviceBase(credential.baseUrl);
			this.zone = serviceZone(credential.timeZone);
		} catch (error) {
			throw new NodeOperationError(context.getNode(), error as Error);
		}
		this.telling = new Telling(context, credential);
		this.pool = new RequestPool(options.parallel, clock, () => this.throwIfAborted());
	}

	static async open(context: ServiceContext, options: ServiceOptions): Promise<ServiceClient> {
		return new ServiceClient(context, await context.getCredentials(CREDENTIAL), options);
	}

	/** No further request is sent. */
	stop(): void {
		this.stopped = true;
	}

	/** Characters that are left in the longest allowed URL behind this path and query, and pages. */
	roomIn(target: string): number {
		return roomBehind(`${this.base}${target}`);
	}

	/** One page of a list. */
	async page(call: Call, kind: RecordKind): Promise<RecordPage & { serviceTime?: number }> {
		const { body, serviceTime } = await this.request(call);
		return { ...(await this.readable(call, body, readPage(body, kind))), serviceTime };
	}

	/** An answer that is one record. */
	async record(call: Call, kind: RecordKind): Promise<IDataObject> {
		const { body } = await this.request(call);
		return await this.readable(call, body, readRecord(body, kind));
	}

	/** Sends a request, again where that is safe, and parses the answer. */
	async request(call: Call): Promise<Answer> {
		const url = this.urlOf(call);
		return await this.pool.run(async (slot) => {
			for (let tries = 1; ; tries++) {
				await this.pool.ready();
				this.throwIfAborted(call);
				const manner = this.manner(call);
				const { standing } = this;
				if (standing !== undefined && this.clock.now() < standing.until)
					throw await this.telling.failure(
						call,
						{ ...standing, tries, ...manner },
						this.clock.now(),
					);
				const outcome = await exchange(this.context, { ...call, ...manner, url });
				this.throwIfAborted();
				if ('status' in outcome && isSuccess(outcome.status)) {
					slot.onSuccess();
					return await this.parse(call, outcome);
				}
				const next = this.next(call, outcome, tries);
				this.pauseFor(next.asked);
				if (!next.again) {
					this.standing = this.standingAfter(outcome, next) ?? this.standing;
					if ('status' in outcome && outcome.status === 401)
						this.newTokenRefusedAt = this.clock.now();
					throw await this.telling.failure(
						call,
						{ outcome, next, tries, ...manner },
						this.clock.now(),
					);
				}
				if (next.throttled) slot.onThrottled();
				await this.pool.wait(next.wait, () => this.throwIfAborted(call));
			}
		});
	}

	/** Whatever becomes of this request, the others keep what the service asked for. */
	private pauseFor(asked = 0): void {
		const { deadline = Infinity } = this.options;
		if (asked <= LONGEST_WAIT && this.clock.now() + asked < deadline) this.pool.pause(asked);
	}

	private manner({ timeout = this.options.timeout }: Call) {
		const left = (this.options.deadline ?? Infinity) - this.clock.now();
		const usesEndpoint = this.credential.authentication === 'tokenEndpoint';
		const renewToken = usesEndpoint && this.clock.now() - this.newTokenRefusedAt > REFUSED_FOR;
		// A signal takes whole milliseconds only.
		return { timeout: Math.ceil(Math.max(1, Math.min(timeout, left))), renewToken };
	}

	private next(call: Call, outcome: Exchange, tries: number): Decision {
		const trouble = troubleOf(outcome);
		if (trouble === undefined) return FINAL;
		const now = this.clock.now();
		const random = Math.random();
		const decision = decide({
			repeatable: call.method === 'GET' || 'refused' in outcome,
			tries,
			trouble,
			now,
			random,
		});
		const { deadline = Infinity } = this.options;
		if (decision.again && now + decision.wait >= deadline) {
			const why = decision.asked === undefined ? 'exhausted' : 'tooLong';
			return { again: false, why, until: now + decision.wait };
		}
		return decision;
	}

	private standingAfter(outcome: Exchange, next: Decision): typeof this.standing {
		const until = closedUntil(next);
		if (until !== undefined)
			return { outcome, next: { again: false, why: 'tooLong', until }, until };
		const isWithoutToken = 'refused' in outcome && outcome.declared !== undefined;
		return isWithoutToken
			? { outcome, next: FINAL, until: this.clock.now() + REFUSED_FOR }
			: undefined;
	}

	private async parse(
		call: Call,
		{ text, headers }: Extract<Exchange, { text: string }>,
	): Promise<Answer> {
		let body: unknown;
		try {
			body = JSON.parse(text);
		} catch {
			throw await this.telling.unreadable(call, text);
		}
		if (isTooDeep(body)) throw await this.telling.unreadable(call, '', 'it is nested too deeply');
		const time = Date.parse(String(headers.date ?? ''));
		return { body, ...(!Number.isNaN(time) && { serviceTime: time }) };
	}

	private async readable<T>(call: Call, body: unknown, answer: T | UnreadableAnswer): Promise<T> {
		if (!(answer instanceof UnreadableAnswer)) return answer;
		throw await this.telling.unreadable(call, JSON.stringify(body), answer.why);
	}

	private urlOf({ path, query = {}, itemIndex }: Call): string {
		const url = withQuery(`${this.base}${path}`, query);
		if (lengthOf(url) <= LONGEST_URL) return url;
		throw inputError(
			this.context.getNode(),
			`What was entered is too long for one request (${lengthOf(url)} characters, ${LONGEST_URL} at the most)`,
			'Shorten it, for example by splitting it over several items',
			itemIndex,
		);
	}

	private throwIfAborted({ isWanted = () => true }: Partial<Call> = {}): void {
		if (!this.stopped && !this.isCancelled() && isWanted()) return;
		throw inputError(
			this.context.getNode(),
			'The execution was stopped',
			'No further request was sent',
		);
	}

	private isCancelled(): boolean {
		const { context } = this;
		return (
			'getExecutionCancelSignal' in context && context.getExecutionCancelSignal()?.aborted === true
		);
	}
}
