/** The simulated service of a history, and the clocks: nothing in it waits. */
import { printDate } from '../support/service/dates.mts';
import type { Fault } from '../support/service/faults.mts';
import type { Service } from '../support/service/service.mts';
import { effectivePageSize, type FaultKind, type History } from './history.mts';

const CONNECTORS = ['cloudbooks', 'ledgerpro'];
const ENGAGEMENTS = 5;
const CREATION = 0;
const LISTING = 1;

const FAULTS: Record<FaultKind, Fault> = {
	notFound: { kind: 'status', status: 404 },
	refused: { kind: 'status', status: 400 },
	page: { kind: 'html' },
	quota: { kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
	unauthorised: { kind: 'status', status: 401 },
	cutOff: { kind: 'raw', body: '{"content":[{"uploadId":"', contentType: 'application/json' },
};

interface Event {
	at: number;
	kind: typeof CREATION | typeof LISTING;
	upload: number;
}

/** Uploads that are listed as completed, as the service prints them, by id. */
export type Listing = Map<string, { printed: unknown; status: string; connectorName: string }>;

/** The service of a history. */
export class World {
	/** The service's clock, epoch milliseconds. */
	now: number;
	/** Uploads that the service knows, by their place in the history. */
	readonly ids: string[] = [];
	/** When each upload, by its place in the history, was first listed as completed. */
	readonly listedAt = new Map<number, number>();
	private readonly events: Event[];
	/** Uploads that may still join the list before a page would hold nothing but repetitions. */
	private joinsLeft = Infinity;
	private readonly prints = new Map<number, unknown>();
	private readonly realNow = Date.now;

	constructor(
		readonly service: Service,
		readonly history: History,
	) {
		this.now = history.begin;
		const kinds = history.uploads.flatMap(({ createdAt, listedAt }, upload): Event[] => [
			{ at: createdAt, kind: CREATION, upload },
			{ at: listedAt, kind: LISTING, upload },
		]);
		this.events = kinds.sort((a, b) => a.at - b.at || a.kind - b.kind);
		service.model.setClock(this.now);
		for (const name of CONNECTORS) service.model.addConnector({ name });
		for (let id = 1; id <= ENGAGEMENTS; id++) service.model.addEngagement({ id });
		this.listenToRequests();
		this.catchUp();
	}

	/** Puts n8n's clock where the history has it, until `end`. */
	begin(): void {
		Date.now = () => this.now - this.history.behind;
	}

	end(): void {
		Date.now = this.realNow;
	}

	/** Time goes on, and everything happens that was due. */
	pass(milliseconds: number): void {
		this.now += milliseconds;
		this.joinsLeft = Infinity;
		this.catchUp();
	}

	/** Passes the last thing that is to happen. */
	passAll(): void {
		this.pass(Math.max(0, (this.events.at(-1)?.at ?? 0) - this.now) + 1000);
	}

	/** From now on requests take time; as many uploads may join as a page can hold but one. */
	beginPolls(polls: number): void {
		const room = effectivePageSize(this.history) - 1;
		this.joinsLeft = polls === 1 ? Infinity : room;
	}

	/** The n-th request from now fails. */
	failRequest(kind: FaultKind, request: number): void {
		this.service.fail({}, FAULTS[kind], { skip: request });
	}

	endPolls(): void {
		this.service.clearFaults();
	}

	/** False where it is not listed as completed yet. */
	moveCompletion(upload: number, completedAt: number): boolean {
		if (!this.listedAt.has(upload)) return false;
		this.service.model.updateUpload(this.idOf(upload), { completedAt });
		return true;
	}

	changeStatus(upload: number, status: string): void {
		if (!this.listedAt.has(upload)) return;
		this.service.model.updateUpload(this.idOf(upload), { status });
	}

	idOf(upload: number): string {
		const id = this.ids[upload];
		if (id === undefined) throw new Error(`The history has no upload ${upload} yet`);
		return id;
	}

	/** What is listed as completed now, as printed. */
	listing(): Listing {
		const completed = this.service.model.uploads.all.filter(
			({ completedAt }) => completedAt !== null,
		);
		return new Map(
			completed.map(({ uploadId, completedAt, status, connectorName }) => [
				uploadId,
				{ printed: this.printed(completedAt ?? 0), status, connectorName },
			]),
		);
	}

	private printed(time: number): unknown {
		const { dateForm, printZone } = this.service.settings;
		const known = this.prints.get(time);
		if (known !== undefined) return known;
		const print = printDate(time, dateForm, printZone);
		this.prints.set(time, print);
		return print;
	}

	private listenToRequests(): void {
		const handle = this.service.handle.bind(this.service);
		this.service.handle = (request) => {
			const outcome = handle(request);
			this.now += this.history.requestTime;
			this.catchUp(Math.min(this.joinsLeft, effectivePageSize(this.history) - 1));
			return outcome;
		};
	}

	private catchUp(mostJoining = Infinity): void {
		let left = mostJoining;
		while ((this.events[0]?.at ?? Infinity) <= this.now && left > 0) {
			const event = this.events.shift();
			if (event === undefined) break;
			if (event.kind === CREATION) this.create(event.upload);
			else this.list(event.upload);
			left -= 1;
		}
		this.joinsLeft -= mostJoining === Infinity ? 0 : mostJoining - left;
		this.service.model.setClock(this.now);
	}

	private create(upload: number): void {
		const { createdAt, connectorName } = this.planned(upload);
		const created = this.service.model.addCompletedUpload({
			createdAt,
			connectorName,
			engagementId: (upload % ENGAGEMENTS) + 1,
			completedAt: createdAt,
			listedAt: Infinity,
		});
		this.ids[upload] = created.uploadId;
	}

	private list(upload: number): void {
		const { completedAt, status } = this.planned(upload);
		this.service.model.updateUpload(this.idOf(upload), { completedAt, status });
		this.listedAt.set(upload, this.now);
	}

	private planned(upload: number) {
		const planned = this.history.uploads[upload];
		if (planned === undefined) throw new Error(`The history has no upload ${upload}`);
		return planned;
	}
}
