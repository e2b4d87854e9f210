/** The simulated service of a history, and the clocks; nothing in it waits. */
import { printDate } from '../../support/service/dates.mts';
import type { Fault } from '../../support/service/faults.mts';
import type { SimResponse, SimRequest } from '../../support/service/request.mts';
import { Service } from '../../support/service/service.mts';
import type { Change, FaultKind, History, PlannedFault } from './history.mts';
import { setClocks } from '../../support/time/clocks.mts';

/** Each fails its request at once, without a retry. */
const FAULTS: Record<FaultKind, Fault> = {
	failed: { kind: 'status', status: 500 },
	notFound: { kind: 'status', status: 404 },
	page: { kind: 'html' },
	quota: { kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
	unauthorised: { kind: 'status', status: 401 },
	cutOff: { kind: 'raw', body: '{"content":[{"uploadId":"', contentType: 'application/json' },
};
const CONNECTORS = ['cloudbooks', 'ledgerpro'];
const ENGAGEMENTS = 5;

/** An upload as the service shows it from a time on; undefined if it does not. */
export interface Version {
	/** The service's clock. */
	from: number;
	shown?: Shown;
}

export interface Shown {
	/** Epoch milliseconds. */
	createdAt: number;
	completedAt: number | null;
	/** As sent. */
	creationDate: unknown;
	completionDate: unknown;
	status: string;
	connectorName: string;
}

type Event = { at: number; upload: number; change?: Change };

export class World {
	/** The service's clock, epoch milliseconds. */
	now: number;
	/** By upload ID. */
	readonly versions = new Map<string, Version[]>();
	readonly service: Service;
	private readonly ids: string[] = [];
	private readonly events: Event[];
	/** The credential's Time Zone. */
	zone: string;

	/** Number of requests that a fault of the history met. */
	failed = 0;

	constructor(
		readonly history: History,
		engagements = ENGAGEMENTS,
	) {
		const { settings, begin, uploads, zone } = history;
		this.service = new Service({
			record: false,
			settings: { ...settings, tokenLifetimeMs: Infinity },
		});
		this.now = begin;
		this.zone = zone;
		const events = uploads.flatMap(({ listedAt, changes }, upload): Event[] => [
			{ at: listedAt, upload },
			...changes.map((change) => ({ at: Math.max(change.at, listedAt), upload, change })),
		]);
		this.events = events.sort((a, b) => a.at - b.at);
		const { model } = this.service;
		model.clock.set(this.now);
		for (const name of CONNECTORS) model.addConnector({ name });
		for (let id = 1; id <= engagements; id++) model.addEngagement({ id });
		this.catchUp();
	}

	/** Runs something by n8n's clocks as the history sets them. */
	async run<T>(act: () => Promise<T>): Promise<T> {
		const resetClocks = setClocks(
			() => this.now - this.history.behind,
			() => this.now,
			async (milliseconds) => {
				const end = this.now + milliseconds;
				await Promise.resolve();
				this.pass(Math.max(0, end - this.now));
			},
		);
		try {
			return await act();
		} finally {
			resetClocks();
			// Gives finished requests time to clear their timeouts.
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	pass(milliseconds: number): void {
		this.now += milliseconds;
		this.catchUp();
	}

	changeZone(zone: string | null): void {
		this.zone = zone ?? this.service.settings.printZone ?? 'UTC';
	}

	/** Advances past the last event. */
	passAll(): void {
		this.pass(Math.max(0, (this.events.at(-1)?.at ?? 0) - this.now) + 1000);
	}

	/** A request of the next poll fails. */
	failRequest({ kind, request, isLasting }: PlannedFault): void {
		this.service.fail({}, FAULTS[kind], {
			skip: request,
			times: isLasting ? Infinity : 1,
		});
	}

	/** Answers a request that was sent at a time of the service's clock. */
	answer(request: SimRequest, sentAt: number): SimResponse {
		const { response } = this.service.handle(request);
		if (response !== undefined && (response.status >= 401 || typeof response.body === 'string'))
			this.failed += 1;
		if (response === undefined) throw new Error('The history has a fault that requires a socket');
		this.now = Math.max(this.now, sentAt + this.history.requestTime);
		this.catchUp();
		return response;
	}

	private catchUp(): void {
		while ((this.events[0]?.at ?? Infinity) <= this.now) {
			const event = this.events.shift();
			if (event !== undefined) this.happen(event);
		}
		this.service.model.clock.set(this.now);
	}

	private happen({ upload, change }: Event): void {
		const { model } = this.service;
		const planned = this.history.uploads[upload];
		if (planned === undefined) return;
		if (change === undefined) {
			const { createdAt, connectorName } = planned;
			const engagementId = (upload % ENGAGEMENTS) + 1;
			const added = model.addUpload({ createdAt, connectorName, engagementId });
			this.ids[upload] = added.uploadId;
		} else {
			const id = this.ids[upload];
			if (id === undefined || model.uploads.get(id) === undefined) return;
			if (change.patch === undefined) model.deleteUpload(id);
			else model.updateUpload(id, change.patch);
		}
		this.note(this.ids[upload] ?? '');
	}

	private note(id: string): void {
		const { printZone } = this.service.settings;
		const upload = this.service.model.uploads.get(id);
		const versions = this.versions.get(id) ?? [];
		const shown = upload && {
			createdAt: upload.createdAt,
			completedAt: upload.completedAt,
			creationDate: printDate(upload.createdAt, printZone),
			completionDate: printDate(upload.completedAt, printZone),
			status: upload.status,
			connectorName: upload.connectorName,
		};
		this.versions.set(id, [...versions, { from: this.now, shown }]);
	}
}
