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
import { inputError, sayingOf, serviceError, type Report } from './errors';
import {
	CREDENTIAL,
	exchange,
	isSuccess,
	troubleOf,
	type Exchange,
	type ServiceContext,
} from './exchange';
import {
	isTooDeep,
	readPage,
	readRecord,
	UnreadableAnswer,
	type RecordKind,
	type RecordPage,
} from './records';
import { redact } from './redact';
import { outcomeReport, unreadableReport, type Ending } from './reports';
import { closedUntil, decide, LONGEST_WAIT, type Decision } from './retry';
import { Pool, systemClock, type Clock } from './pool';
import { secretsOf } from './tokenRequest';
import { lengthOf, LONGEST_URL, roomBehind, withQuery, type Query } from './url';

/** What is asked of the service (interface section 4). */
export interface Call {
	method: 'GET' | 'POST';
	path: string;
	query?: Query;
	body?: IDataObject;
	/** What it is for, as in “Could not …”. */
	purpose: string;
	itemIndex?: number;
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
export class Service {
	readonly pool: Pool;
	/** Times of the service without an offset are in this IANA zone. */
	readonly zone: string;
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
		this.pool = new Pool(options.parallel, clock, () => this.assertGoingOn());
	}

	static async open(context: ServiceContext, options: ServiceOptions): Promise<Service> {
		return new Service(context, await context.getCredentials(CREDENTIAL), options);
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
		return await this.pool.run(async (place) => {
			for (let tries = 1; ; tries++) {
				await this.pool.ready();
				this.assertGoingOn(call);
				const manner = this.manner(call);
				const { standing } = this;
				if (standing !== undefined && this.clock.now() < standing.until)
					throw await this.failure(call, { ...standing, tries, timeout: manner.timeout });
				const outcome = await exchange(this.context, { ...call, ...manner, url });
				this.assertGoingOn();
				if ('status' in outcome && isSuccess(outcome.status)) {
					place.keepsUp();
					return await this.parse(call, outcome);
				}
				const next = this.next(call, outcome, tries);
				this.pauseFor(next.asked);
				if (!next.again) {
					this.standing = this.standingAfter(outcome, next) ?? this.standing;
					throw await this.failure(call, { outcome, next, tries, timeout: manner.timeout });
				}
				if (next.throttled) place.slowDown();
				await this.pool.wait(next.wait, () => this.assertGoingOn(call));
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

	private async failure(call: Call, end: Omit<Ending, 'outcome'> & { outcome: Exchange }) {
		const { outcome } = end;
		const now = this.clock.now();
		if ('unreadable' in outcome) {
			return this.error(call, unreadableReport(call.method, '', undefined, outcome.unreadable));
		}
		if ('status' in outcome && outcome.status === 401) this.newTokenRefusedAt = now;
		const said = await this.saying('text' in outcome ? outcome.text : '');
		const { credential } = this;
		return this.error(call, outcomeReport({ ...end, outcome, said, credential, now }));
	}

	private async parse(
		call: Call,
		{ text, headers }: Extract<Exchange, { text: string }>,
	): Promise<Answer> {
		let body: unknown;
		try {
			body = JSON.parse(text);
		} catch {
			throw this.error(call, unreadableReport(call.method, text, await this.saying(text)));
		}
		if (isTooDeep(body)) {
			const why = 'it is nested too deeply';
			throw this.error(call, unreadableReport(call.method, '', undefined, why));
		}
		const time = Date.parse(String(headers.date ?? ''));
		return { body, ...(!Number.isNaN(time) && { serviceTime: time }) };
	}

	private async readable<T>(call: Call, body: unknown, answer: T | UnreadableAnswer): Promise<T> {
		if (!(answer instanceof UnreadableAnswer)) return answer;
		const text = JSON.stringify(body);
		const said = await this.saying(text);
		throw this.error(call, unreadableReport(call.method, text, said, answer.why));
	}

	/** A text of the service as it may be shown. */
	async shown(text: string): Promise<string> {
		return redact(text, await this.secrets());
	}

	private async saying(text: string): Promise<string | undefined> {
		return sayingOf(text, await this.secrets());
	}

	/** Those that there were at the start, and those fetched since. */
	private async secrets(): Promise<string[]> {
		const credentials = [this.credential, await this.context.getCredentials(CREDENTIAL)];
		return credentials.flatMap(secretsOf);
	}

	private error({ purpose, itemIndex }: Call, report: Omit<Report, 'purpose' | 'itemIndex'>) {
		return serviceError(this.context.getNode(), { ...report, purpose, itemIndex });
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

	private assertGoingOn({ isWanted = () => true }: Partial<Call> = {}): void {
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
