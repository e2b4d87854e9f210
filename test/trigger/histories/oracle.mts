/**
 * Checks a history against the promises of docs/how-the-trigger-works.md, based on what the service showed when,
 * regardless of how the trigger works. If more than one outcome is right, all pass.
 */
import type { IDataObject } from 'n8n-workflow';
import type { History } from './history.mts';
import { dateOf, compareToStart, matches, occurrence, readTime, spanOf } from './occurrences.mts';
import type { Played, PollLog } from './player.mts';
import type { Shown, Version } from './world.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long n8n may take to save what a durable poll has emitted. */
const DURABLE_BUDGET = 36_000;

/** An item, and the poll that emitted it. */
interface Emission {
	poll: PollLog;
	item: IDataObject;
}

/** Everything that is wrong with the outcome of a history; empty if nothing is. */
export function judge({ history, polls, versions, hasSettled }: Played): string[] {
	const { complaints } = new Oracle(history, polls, versions);
	return [...(hasSettled ? [] : ['it keeps emitting']), ...complaints];
}

class Oracle {
	/** The first successful poll; what has occurred by then is not emitted by Start From Now. */
	private readonly first: PollLog | undefined;
	private readonly isNow: boolean;
	private readonly isRepeating: boolean;
	private readonly date: ReturnType<typeof dateOf>;

	constructor(
		private readonly history: History,
		private readonly polls: PollLog[],
		/** By upload ID, what the service showed of it. */
		private readonly versions: ReadonlyMap<string, Version[]>,
	) {
		this.first = polls.find(({ items }) => items !== undefined);
		const { event, start } = history;
		const isDated = event === 'uploadCompleted' || event === 'uploadStarted';
		this.isNow = !isDated || start.startFrom === 'now';
		this.isRepeating = event === 'uploadStatusChanged';
		this.date = dateOf(history);
	}

	get complaints(): string[] {
		return [
			...this.polls.flatMap((poll) =>
				this.ofPoll(poll).map((text) => `poll ${poll.index}: ${text}`),
			),
			...[...this.versions.keys()].flatMap((id) =>
				this.ofUpload(id).map((text) => `upload ${id.slice(0, 8)}: ${text}`),
			),
		];
	}

	private ofPoll(poll: PollLog): string[] {
		const { items, isAlone, from, to, stateBefore, stateAfter } = poll;
		if (items === undefined)
			return isAlone && stateBefore !== stateAfter ? ['it failed, and changed the state'] : [];
		const complaints: string[] = [];
		if (new Set(items.map(({ uploadId }) => uploadId)).size < items.length)
			complaints.push('an upload is emitted twice');
		const times = items.map((item) => this.timeOf(item));
		if (!this.isZoneWrong && times.some((time, index) => time < (times[index - 1] ?? -Infinity)))
			complaints.push('not emitted oldest first');
		if (items.length > this.history.maxUploads) complaints.push('more uploads than allowed');
		for (const item of items) {
			const shown = this.shownDuring(String(item.uploadId), from, to);
			const hasOccurred = shown.some(
				(each) =>
					each.status === item.uploadStatus &&
					each.completionDate === item.completionDate &&
					matches(this.history, each) &&
					this.possible(each, poll).some((occurred) => occurred !== undefined),
			);
			if (!hasOccurred) complaints.push(`${String(item.uploadId)} was never shown like this`);
		}
		return complaints;
	}

	private ofUpload(id: string): string[] {
		const emissions = this.polls.flatMap((poll) =>
			(poll.items ?? []).filter(({ uploadId }) => uploadId === id).map((item) => ({ poll, item })),
		);
		return [
			...emissions.flatMap((emission, index) =>
				this.ofEmission(id, emission, emissions[index - 1]),
			),
			...this.ofMissing(id, emissions),
		];
	}

	/** What is wrong with an emission, and the one of the same upload before it. */
	private ofEmission(id: string, { poll, item }: Emission, before: Emission | undefined): string[] {
		const { first } = this;
		const { previousStatus } = item;
		const isNew = typeof previousStatus !== 'string';
		const complaints: string[] = [];
		// After another Time Zone, some uploads may come once more.
		if (before && !this.isZoneChanged(before.poll, poll)) {
			if (isNew) complaints.push('emitted twice');
			else if (!this.hadOther(id, before, { poll, item }))
				complaints.push(`${String(item.uploadStatus)} is emitted twice`);
		}
		if (first === undefined) return complaints;
		if (isNew && this.hadOccurredFirst(id) && !this.isZoneChanged(first, poll))
			complaints.push('had occurred by the first poll');
		const side = compareToStart(this.history.start, item[this.date], poll.zone);
		if (!this.isNow && side === 'before' && !this.isZoneChanged(first, poll))
			complaints.push('dated before the start date');
		if (isNew) return complaints;
		const statuses = this.shownDuring(id, -Infinity, poll.to).map(({ status }) => status);
		if (!statuses.includes(previousStatus) || previousStatus === item.uploadStatus)
			complaints.push(`was not ${previousStatus} before poll ${poll.index}`);
		return complaints;
	}

	/** What had to be emitted of an upload, and was not. */
	private ofMissing(id: string, emissions: Emission[]): string[] {
		const { first } = this;
		if (first === undefined) return [];
		const emitted = new Map<string, number>();
		for (const { poll, item } of emissions.toReversed())
			emitted.set(this.isRepeating ? String(item.uploadStatus) : 'once', poll.index);
		const shown = this.isNow ? this.shownDuring(id, first.from, first.to) : [];
		const recorded = shown.flatMap((each) => this.possible(each, first));
		for (const poll of this.polls) {
			const due = this.dueIn(id, poll);
			if (due === undefined || recorded.includes(due)) continue;
			const by = emitted.get(this.isRepeating ? due : 'once');
			if (by !== undefined && by <= poll.index) continue;
			return [`${due} is due by poll ${poll.index}, but not emitted before ${by ?? 'the end'}`];
		}
		return [];
	}

	/** What has certainly occurred to an upload that a poll must have found, if it occurred in time. */
	private dueIn(id: string, poll: PollLog): string | undefined {
		if (!this.isThorough(poll)) return undefined;
		if (this.isNow && poll.index <= (this.first?.index ?? 0)) return undefined;
		const shown = this.shownAt(id, poll.from);
		if (shown === undefined || !matches(this.history, shown)) return undefined;
		const due = this.certainly(shown, poll.from);
		if (due === undefined) return undefined;
		const { start, lookback } = this.history;
		if (!this.isNow && compareToStart(start, shown[this.date], poll.zone) !== 'after')
			return undefined;
		const time = this.date === 'completionDate' ? (shown.completedAt ?? 0) : shown.createdAt;
		const wasThere = !this.isNow && this.shownAt(id, this.first?.from ?? 0) !== undefined;
		const patience = spanOf(this.history) + lookback + (this.isZoneWrong ? 0 : DAY) - this.slack;
		return wasThere || this.since(id, poll, due) - time <= patience ? due : undefined;
	}

	/** Whether the poll has read and could emit everything that was shown. */
	private isThorough(poll: PollLog): boolean {
		const { items, isAlone, isDisturbed, from, index } = poll;
		if (isDisturbed || items === undefined || !isAlone) return false;
		// What slips from one page to another is found by the next poll.
		if (items.length >= this.history.maxUploads || this.isChangedDuring(poll)) return false;
		// What n8n has taken back comes once n8n can no longer save it.
		const taken = this.polls.findLast((each) => each.isDiscarded && each.index <= index);
		return taken === undefined || from - taken.to >= DURABLE_BUDGET;
	}

	/** When lists began to show what a poll finds. */
	private since(id: string, poll: PollLog, due: string): number {
		let since = poll.from;
		const before = (this.versions.get(id) ?? []).filter(({ from }) => from <= poll.from);
		for (const { from, shown } of before.reverse()) {
			if (shown === undefined || !matches(this.history, shown)) break;
			if (this.certainly(shown, since) !== due) break;
			// A time must pass until some events occur.
			if (this.certainly(shown, from) !== due) return since;
			since = from;
		}
		return since;
	}

	/** What has occurred to an upload at a time, whatever the clocks and zones, if anything. */
	private certainly(shown: Shown, at: number): string | undefined {
		const [early, late] = this.possible(shown, { from: at, to: at });
		return early === late ? early : undefined;
	}

	/** What may have occurred to an upload by a poll's beginning, and by its end, as clocks and zones may be. */
	private possible(shown: Shown, { from, to }: { from: number; to: number }) {
		return [from - this.slack, to + this.slack].map((at) => occurrence(this.history, shown, at));
	}

	private hadOccurredFirst(id: string): boolean {
		const { first } = this;
		// What slips from one page to another during the very first poll may come later.
		if (first === undefined || !this.isNow || this.isChangedDuring(first)) return false;
		const shown = this.shownAt(id, first.from);
		return shown !== undefined && this.certainly(shown, first.from) !== undefined;
	}

	/** Whether the service has shown something else while a poll read the list. */
	private isChangedDuring({ from, to }: PollLog): boolean {
		const all = [...this.versions.values()].flat();
		return all.some((each) => each.from > from && each.from <= to);
	}

	/** Whether it had another status between two polls that emitted the same one. */
	private hadOther(id: string, before: Emission, { poll, item }: Emission): boolean {
		const shown = this.shownDuring(id, before.poll.from, poll.to).map(({ status }) => status);
		return [before.item.uploadStatus, ...shown].some((each) => each !== item.uploadStatus);
	}

	private timeOf(item: IDataObject): number {
		return readTime(item[this.date]);
	}

	/** How far dates may be from the service's time, by the zones, summer time and what headers leave out. */
	private get slack(): number {
		if (this.history.event !== 'uploadStuck') return 0;
		return (this.isZoneWrong ? 27 : 2) * HOUR + 1000;
	}

	/** Whether a poll reads local times in another zone than the service's. */
	private get isZoneWrong(): boolean {
		const { printZone = 'UTC' } = this.history.settings;
		return printZone !== null && this.polls.some(({ zone }) => zone !== printZone);
	}

	/** Whether Time Zone was changed between two polls. */
	private isZoneChanged(before: PollLog, after: PollLog): boolean {
		const polls = this.polls.slice(before.index, after.index + 1);
		return polls.some(({ zone }) => zone !== before.zone);
	}

	/** What was shown of an upload at a time. */
	private shownAt(id: string, time: number): Shown | undefined {
		return this.versions.get(id)?.findLast(({ from }) => from <= time)?.shown;
	}

	/** Everything that was shown of an upload between two times. */
	private shownDuring(id: string, from: number, to: number): Shown[] {
		const all = this.versions.get(id) ?? [];
		const during = all.filter((each) => each.from > from && each.from <= to);
		const shown = [this.shownAt(id, from), ...during.map((each) => each.shown)];
		return shown.filter((each) => each !== undefined);
	}
}
