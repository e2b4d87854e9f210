/**
 * What must hold after each poll, based on what the service showed, regardless of how the trigger
 * works. The ledger is all that has to be known of the past.
 */
import type { EventName } from '../histories/history.mts';
import {
	FOLLOW_FOR,
	listedIn,
	LOOKBACK,
	STUCK_AFTER,
	type Hour,
	type Plan,
	type SmallUpload,
	type SmallWorld,
} from './smallWorld.mts';

/** What was told of each upload; UNSURE if it changed during the first poll. */
export interface Ledger {
	isStarted: boolean;
	told: Array<string | null>;
}

const UNSURE = '?';

/** An emitted item. */
export interface Item {
	upload: number;
	status: string;
	completedAt: Hour | null;
	previousStatus?: string | null | undefined;
}

/** A poll that succeeded. */
export interface PollOutcome {
	/** What the service showed during it, oldest first. */
	worlds: SmallWorld[];
	items: Item[];
	/** It could handle everything that was shown. */
	isThorough: boolean;
}

export class Broken extends Error {}

/** What has occurred to an upload; events that occur once say when it was dated. */
const occurrences: Record<EventName, (upload: SmallUpload, now: Hour) => string | null> = {
	uploadCompleted: ({ completedAt, status }) =>
		completedAt === null || status === 'FAILED' ? null : String(completedAt),
	uploadStarted: ({ createdAt }) => String(createdAt),
	uploadFailed: ({ status, createdAt }) => (status === 'FAILED' ? String(createdAt) : null),
	uploadStatusChanged: ({ status }) => status,
	uploadStuck: ({ createdAt, endedAt }, now) =>
		endedAt === undefined && now >= createdAt + STUCK_AFTER ? String(createdAt) : null,
};

export class Oracle {
	private readonly isDated: boolean;
	private readonly isRepeating: boolean;

	constructor(private readonly plan: Plan) {
		const { event } = plan;
		this.isDated = event === 'uploadCompleted' || event === 'uploadStarted';
		this.isRepeating = event === 'uploadStatusChanged';
	}

	get beginning(): Ledger {
		const told = this.plan.uploads.map(() => null);
		return { isStarted: this.plan.startFrom !== 'now', told };
	}

	/** The ledger after a poll. @throws Broken if a promise is broken */
	after(ledger: Ledger, outcome: PollOutcome): Ledger {
		const { items, isThorough, worlds } = outcome;
		if (!ledger.isStarted) return this.firstLook(outcome);
		if (items.length > this.plan.maxUploads) throw new Broken('more uploads than allowed');
		const told = [...ledger.told];
		let newest = -Infinity;
		for (const item of items) {
			const { upload, occurrence } = this.shown(worlds, item);
			this.checkNew(told[item.upload] ?? null, item, { occurrence, worlds });
			if (this.dateOf(upload) < newest) throw new Broken('not emitted oldest first');
			newest = this.dateOf(upload);
			told[item.upload] = occurrence;
		}
		if (isThorough) this.checkComplete(told, outcome, newest);
		return { isStarted: true, told };
	}

	/** The first poll takes everything as it is. */
	private firstLook({ items, worlds }: PollOutcome): Ledger {
		if (items.length > 0) throw new Broken('the first poll emits');
		const told = this.plan.uploads.map((_, at) => {
			const [occurrence = null, ...others] = worlds.map((world) => this.occurrence(world, at));
			return others.every((other) => other === occurrence) ? occurrence : UNSURE;
		});
		return { isStarted: true, told };
	}

	/** What was shown as it was emitted. */
	private shown(worlds: SmallWorld[], { upload: at, status, completedAt }: Item) {
		for (const world of worlds) {
			const upload = listedIn(world, at);
			const occurrence = this.occurrence(world, at);
			if (upload?.status !== status || upload.completedAt !== completedAt) continue;
			if (occurrence !== null) return { upload, occurrence };
		}
		throw new Broken(`upload ${at} is emitted, but nothing has occurred to it`);
	}

	private checkNew(
		told: string | null,
		{ upload, previousStatus }: Item,
		{ occurrence, worlds: [world] }: { occurrence: string; worlds: SmallWorld[] },
	): void {
		if (told === UNSURE) return;
		if (this.isRepeating) {
			if (occurrence === told) throw new Broken(`upload ${upload}: ${told} is emitted twice`);
			if (previousStatus === told) return;
			throw new Broken(`upload ${upload} was ${told} before, not ${String(previousStatus)}`);
		}
		if (told === null) return;
		// Another date makes it another upload, once the one it was emitted with is forgotten.
		const isForgotten = this.isDated && (world?.now ?? 0) - Number(told) > LOOKBACK;
		if (occurrence === told || !isForgotten) throw new Broken(`upload ${upload} is emitted twice`);
	}

	/** Nothing that is due was left out, unless there was more than a poll may emit. */
	private checkComplete(told: Ledger['told'], { worlds, items }: PollOutcome, newest: Hour): void {
		const world = worlds[0];
		if (world === undefined) return;
		const isFull = items.length === this.plan.maxUploads;
		for (const [at, before] of told.entries()) {
			const upload = listedIn(world, at);
			const occurrence = this.occurrence(world, at);
			if (upload === undefined || occurrence === null) continue;
			if (before === UNSURE) told[at] = occurrence;
			const isTold = this.isRepeating ? before === occurrence : before !== null;
			if (isTold || before === UNSURE || !this.isCertain(upload, world.now)) continue;
			if (!isFull || this.dateOf(upload) < newest)
				throw new Broken(`upload ${at} is due, but not emitted`);
		}
	}

	/** Whether it is promised that what has occurred to an upload is emitted now. */
	private isCertain({ createdAt, completedLate = 0, endedBefore }: SmallUpload, now: Hour) {
		if (this.isDated) return this.plan.event === 'uploadStarted' || completedLate <= LOOKBACK;
		return now <= createdAt + FOLLOW_FOR && now <= (endedBefore ?? Infinity) + LOOKBACK;
	}

	private occurrence(world: SmallWorld, at: number): string | null {
		const upload = listedIn(world, at);
		const { event } = this.plan;
		const occurrence = occurrences[event];
		if (occurrence === undefined)
			throw new Error(
				`Add ${event} to “occurrences” of test/trigger/explorer/oracle.mts: when it occurs`,
			);
		return upload ? occurrence(upload, world.now) : null;
	}

	private dateOf({ createdAt, completedAt }: SmallUpload): Hour {
		return this.plan.event === 'uploadCompleted' ? (completedAt ?? 0) : createdAt;
	}
}
