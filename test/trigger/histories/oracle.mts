/**
 * Checks a history against the promises of docs/how-the-trigger-works.md, based on what the service showed when,
 * regardless of how the trigger works. If more than one outcome is right, all pass.
 */
import type { IDataObject } from 'n8n-workflow';
import type { History } from './history.mts';
import { dateOf, compareToStart, occurrence, readTime, spanOf } from './occurrences.mts';
import type { Played, PollLog } from './player.mts';
import type { Shown, Version } from './world.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long n8n may take to save what a durable poll has emitted. */
const DURABLE_BUDGET = 36_000;
/** Zones differ by 26 hours, once for the date and once for the window. */
const ZONES_APART = 2 * 26 * HOUR;

/** An item, and the poll that emitted it. */
interface Emission {
	poll: PollLog;
	item: IDataObject;
}

/** Everything that is wrong with the outcome of a history; empty if nothing is. */
export function judge(played: Played): string[] {
	return [...(played.hasSettled ? [] : ['it keeps emitting']), ...new Oracle(played).complaints()];
}

class Oracle {
	private readonly polls: PollLog[];
	private readonly history: History;
	/** By upload ID, what the service showed of it. */
	private readonly versions: ReadonlyMap<string, Version[]>;
	/** The first successful poll; what has occurred by then is not emitted by Start From Now. */
	private readonly first: PollLog | undefined;
	private readonly isNow: boolean;
	private readonly isRepeating: boolean;

	constructor({ polls, history, versions }: Played) {
		this.polls = polls;
		this.history = history;
		this.versions = versions;
		this.first = polls.find(({ items }) => items !== undefined);
		const { event, start } = history;
		const isDated = event === 'uploadCompleted' || event === 'uploadStarted';
		this.isNow = !isDated || start.startFrom === 'now';
		this.isRepeating = event === 'uploadStatusChanged';
	}

	complaints(): string[] {
		return [
			...this.polls.flatMap((poll) =>
				this.ofPoll(poll).map((text) => `poll ${poll.index}: ${text}`),
			),
			...[...this.versions.keys()].flatMap((id) =>
				this.ofUpload(id).map((text) => `upload ${id.slice(0, 8)}: ${text}`),
			),
		];
	}

	private ofPoll({ items, isAlone, from, to, stateBefore, stateAfter }: PollLog): string[] {
		const complaints: string[] = [];
		if (items === undefined && isAlone && stateBefore !== stateAfter)
			complaints.push('it failed, and changed the state');
		if (items === undefined) return complaints;
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
					this.matches(each) &&
					[from - this.slack, to + this.slack].some((at) => occurrence(this.history, each, at)),
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
		if (before && !this.mayComeAgain(item, before.poll, poll)) {
			if (isNew) complaints.push('emitted twice');
			else if (!this.hadOther(id, before, { poll, item }))
				complaints.push(`${String(item.uploadStatus)} is emitted twice`);
		}
		if (first === undefined) return complaints;
		if (isNew && this.hadOccurredFirst(id) && !this.isZoneChanged(first, poll))
			complaints.push('had occurred by the first poll');
		const { start } = this.history;
		const isEarly = !this.isNow && compareToStart(start, item[this.date], poll.zone) === 'before';
		if (isEarly && !this.isZoneChanged(first, poll)) complaints.push('dated before the start date');
		if (isNew) return complaints;
		const hadStatus = this.shownDuring(id, -Infinity, poll.to).some(
			({ status }) => status === previousStatus,
		);
		if (!hadStatus || previousStatus === item.uploadStatus)
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
		const recorded = this.isNow ? this.shownDuring(id, first.from, first.to) : [];
		const isRecorded = (due: string) =>
			recorded.some((shown) =>
				[first.from - this.slack, first.to + this.slack].some(
					(at) => occurrence(this.history, shown, at) === due,
				),
			);
		for (const poll of this.polls) {
			const due = this.dueIn(id, poll);
			if (due === undefined || isRecorded(due)) continue;
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
		const due = shown && this.matches(shown) ? this.certainly(shown, poll.from) : undefined;
		if (shown === undefined || due === undefined) return undefined;
		const { start, lookback } = this.history;
		if (!this.isNow && compareToStart(start, shown[this.date], poll.zone) !== 'after')
			return undefined;
		const time = this.date === 'completionDate' ? (shown.completedAt ?? 0) : shown.createdAt;
		const wasThere = !this.isNow && this.wasThereFirst(id);
		const patience = spanOf(this.history) + lookback + (this.isZoneWrong ? 0 : DAY) - this.slack;
		return wasThere || this.since(id, poll, due) - time <= patience ? due : undefined;
	}

	/** Whether the poll has read and could emit everything that was shown. */
	private isThorough(poll: PollLog): boolean {
		const { items, isAlone, isDisturbed, from, to, index } = poll;
		// The first poll after a restart does not fail because of the service.
		if (isDisturbed) return false;
		if (items === undefined || !isAlone || items.length >= this.history.maxUploads) return false;
		// What slips from one page to another is found by the next poll.
		const changes = [...this.versions.values()].flat();
		if (changes.some((each) => each.from > from && each.from <= to)) return false;
		// What n8n has taken back comes once n8n can no longer save it.
		const taken = this.polls.findLast((each) => each.isDiscarded && each.index <= index);
		return taken === undefined || from - taken.to >= DURABLE_BUDGET;
	}

	/** When lists began to show what a poll finds. */
	private since(id: string, poll: PollLog, due: string): number {
		let since = poll.from;
		const before = (this.versions.get(id) ?? []).filter(({ from }) => from <= poll.from);
		for (const { from, shown } of before.reverse()) {
			if (shown === undefined || !this.matches(shown)) break;
			if (this.certainly(shown, since) !== due) break;
			// A time must pass until some events occur.
			if (this.certainly(shown, from) !== due) return since;
			since = from;
		}
		return since;
	}

	/** What has occurred to an upload at a time, whatever the clocks and zones, if anything. */
	private certainly(shown: Shown, at: number): string | undefined {
		const [early, late] = [at - this.slack, at + this.slack].map((time) =>
			occurrence(this.history, shown, time),
		);
		return early === late ? early : undefined;
	}

	private hadOccurredFirst(id: string): boolean {
		const { first } = this;
		if (first === undefined || !this.isNow) return false;
		// What slips from one page to another during the very first poll may come later.
		const changes = [...this.versions.values()].flat();
		if (changes.some(({ from }) => from > first.from && from <= first.to)) return false;
		const shown = this.shownAt(id, first.from);
		return shown !== undefined && this.certainly(shown, first.from) !== undefined;
	}

	private wasThereFirst(id: string): boolean {
		return this.first !== undefined && this.shownAt(id, this.first.from) !== undefined;
	}

	/** After another Time Zone, some uploads may come once more, unless they are much older than what was reached. */
	private mayComeAgain(item: IDataObject, before: PollLog, poll: PollLog): boolean {
		if (!this.isZoneChanged(before, poll)) return false;
		const reached = this.polls.slice(0, before.index).flatMap(({ items = [] }) => items);
		const newest = Math.max(...reached.map((each) => this.timeOf(each)));
		const { lookback } = this.history;
		return this.timeOf(item) >= newest - spanOf(this.history) - lookback - ZONES_APART;
	}

	/** Whether it had another status between two polls that emitted the same one. */
	private hadOther(id: string, before: Emission, { poll, item }: Emission): boolean {
		if (before.item.uploadStatus !== item.uploadStatus) return true;
		const shown = this.shownDuring(id, before.poll.from, poll.to);
		return shown.some(({ status }) => status !== item.uploadStatus);
	}

	private get date() {
		return dateOf(this.history);
	}

	private timeOf(item: IDataObject): number {
		return readTime(item[this.date]);
	}

	/** How far dates may be from the service's time, by the zones, summer time and n8n's clock. */
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

	private matches(shown: Shown): boolean {
		const { uploadStatuses, connectorNames } = this.history.filters;
		return isAmong(shown.status, uploadStatuses) && isAmong(shown.connectorName, connectorNames);
	}

	/** What was shown of an upload at a time. */
	private shownAt(id: string, time: number): Shown | undefined {
		return this.versions.get(id)?.findLast(({ from }) => from <= time)?.shown;
	}

	/** Everything that was shown of an upload between two times. */
	private shownDuring(id: string, from: number, to: number): Shown[] {
		const during = (this.versions.get(id) ?? []).filter(
			(each) => each.from > from && each.from <= to,
		);
		const shown = [this.shownAt(id, from), ...during.map((each) => each.shown)];
		return shown.filter((each) => each !== undefined);
	}
}

function isAmong(value: string, list: string | undefined): boolean {
	return list === undefined || list.toUpperCase().split(', ').includes(value.toUpperCase());
}
