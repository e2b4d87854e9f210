/** What all events promise for each poll. */
import type { IDataObject } from 'n8n-workflow';
import type { UploadEvent } from '../../../nodes/EngagementUploads/trigger/events/event.ts';
import { findEvent, type History } from './history.mts';
import type { Played, PollLog } from './player.mts';
import type { Shown, Version } from './world.mts';

const SECOND = 1000;
const DURABLE_BUDGET = 36 * SECOND;
/** n8n waits no longer for a workflow to be published. */
const FIRST_BUDGET = 60 * SECOND;
const IN_MEMORY_BUDGET = 300 * SECOND;
/** Zones differ by 26 hours at the most, once for the date and once for the window; and the window's own hour. */
const ZONES_APART = (2 * 26 + 1) * 3600 * SECOND;

/** The failed statuses that occur in histories. */
export const FAILED = ['FAILED', 'ABORTED'];

/** An item, and the poll that emitted it. */
export interface Emission {
	poll: PollLog;
	item: IDataObject;
}

export abstract class Oracle {
	protected readonly polls: PollLog[];
	protected readonly history: History;
	protected readonly event: UploadEvent;
	/** By upload ID, what the service showed of it. */
	private readonly versions: ReadonlyMap<string, Version[]>;

	constructor({ polls, history, versions }: Played) {
		this.polls = polls;
		this.history = history;
		this.event = findEvent(history);
		this.versions = versions;
	}

	protected abstract ofUpload(id: string): string[];

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

	private ofPoll(poll: PollLog): string[] {
		const { items = [], isAlone, stateBefore, stateAfter } = poll;
		const complaints: string[] = [];
		if (poll.items === undefined && isAlone && stateBefore !== stateAfter)
			complaints.push('it failed, and changed the state');
		if (new Set(items.map(({ uploadId }) => uploadId)).size < items.length)
			complaints.push('an upload is emitted twice');
		if (!this.isZoneWrong) {
			const times = items.map((item) => readTime(item[this.event.date]));
			if (times.some((time, index) => time < (times[index - 1] ?? -Infinity)))
				complaints.push('not emitted oldest first');
		}
		for (const item of items)
			if (!this.wasShown(poll, item))
				complaints.push(`${String(item.uploadId)} was never shown like this`);
		if (items.length > this.history.maxUploads) complaints.push('more uploads than allowed');
		return complaints;
	}

	/** Whether the poll could have handled everything that was shown. */
	protected isThorough(poll: PollLog): boolean {
		if (poll.items === undefined || !poll.isAlone || poll.isDisturbed) return false;
		const { durable, maxUploads } = this.history;
		// After an emission in durable polling, a first poll only shows that the service can be read.
		if (poll.isActivation && durable && poll.index > this.firstSuccess) return false;
		if (durable && this.mayBeOutdated(poll)) return false;
		// Changes during reading may be handled by the next poll.
		if (this.changedWithin(poll.from, poll.to)) return false;
		const last = this.polls[poll.index - 1];
		if (last?.isDisturbed) return false;
		if (!this.isQuick(poll) || (last !== undefined && !this.isQuick(last))) return false;
		// Otherwise, more may be due than a poll may emit.
		return poll.items.length < maxUploads;
	}

	/** Whether it read all that it had to in its time. */
	private isQuick({ isActivation, from, to }: PollLog): boolean {
		const later = this.history.durable ? DURABLE_BUDGET : IN_MEMORY_BUDGET;
		return to - from < (isActivation ? FIRST_BUDGET : later) * 0.45;
	}

	/** Whether n8n discards what it emits, or may still be saving what an earlier one has emitted. */
	private mayBeOutdated({ index, from }: PollLog): boolean {
		const latest = this.polls.findLast((each) => each.isDiscarded && each.index <= index);
		return latest !== undefined && from - latest.to < DURABLE_BUDGET;
	}

	protected listEmissions(id: string): Emission[] {
		return this.polls.flatMap((poll) =>
			(poll.items ?? []).filter(({ uploadId }) => uploadId === id).map((item) => ({ poll, item })),
		);
	}

	/**
	 * Whether a poll reads local times in a zone other than the service's: they may be off, and in another
	 * order where a change to summer time leaves out an hour.
	 */
	protected get isZoneWrong(): boolean {
		const { settings } = this.history;
		const hasLocalTimes = (settings.dateForm ?? 'plain') === 'plain';
		return hasLocalTimes && this.polls.some(({ zone }) => zone !== (settings.printZone ?? 'UTC'));
	}

	/** Whether Time Zone was changed between two polls, after which some uploads may come once more. */
	protected isZoneChanged(before: PollLog, after: PollLog): boolean {
		const polls = this.polls.slice(before.index, after.index + 1);
		return polls.some(({ zone }) => zone !== before.zone);
	}

	/** Whether an upload comes again though nothing explains it. */
	protected isRepeated({ poll, item }: Emission, before: Emission | undefined): boolean {
		if (before === undefined) return false;
		if (!this.isZoneChanged(before.poll, poll)) return true;
		// It comes again only if it is not much older than what the trigger had reached.
		const reached = this.polls.slice(0, before.poll.index).flatMap(({ items = [] }) => items);
		const newest = Math.max(...reached.map((each) => readTime(each[this.event.date])));
		return readTime(item[this.event.date]) < newest - this.history.lookback - ZONES_APART;
	}

	/** The first successful poll, at which Start From: Now marks existing uploads as seen. */
	protected get firstSuccess(): number {
		return this.polls.findIndex(({ items }) => items !== undefined);
	}

	/** The poll that completes the baseline: if the first one takes long, the next ones go on with it. */
	protected get baselineEnd(): number {
		const quick = this.polls.findIndex((poll) => poll.items !== undefined && this.isQuick(poll));
		return quick >= 0 ? quick : this.firstSuccess;
	}

	protected matches(shown: Shown): boolean {
		const { uploadStatuses, connectorNames } = this.history.filters;
		return isAmong(shown.status, uploadStatuses) && isAmong(shown.connectorName, connectorNames);
	}

	protected listVersions(id: string): Version[] {
		return this.versions.get(id) ?? [];
	}

	/** What was shown of an upload at a time. */
	protected shownAt(id: string, time: number): Shown | undefined {
		return this.listVersions(id).findLast(({ from }) => from <= time)?.shown;
	}

	/** Everything that was shown of an upload during a poll. */
	protected shownDuring(id: string, { from, to }: PollLog): Shown[] {
		const during = this.listVersions(id).filter((each) => each.from > from && each.from <= to);
		return [this.shownAt(id, from), ...during.map(({ shown }) => shown)].filter(
			(shown) => shown !== undefined,
		);
	}

	/** Whether anything changed between two times. */
	private changedWithin(after: number, upTo: number): boolean {
		return [...this.versions.values()].flat().some(({ from }) => from > after && from <= upTo);
	}

	private wasShown(poll: PollLog, item: IDataObject): boolean {
		return this.shownDuring(String(item.uploadId), poll).some(
			(shown) =>
				shown.status === item.uploadStatus &&
				shown.completionDate === item.completionDate &&
				this.matches(shown),
		);
	}
}

function isAmong(value: string, list: string | undefined): boolean {
	return list === undefined || list.toUpperCase().split(', ').includes(value.toUpperCase());
}

/** Whether a date is an instant, whatever the zone. */
export function hasOffset(sent: unknown): boolean {
	return typeof sent === 'number' || /(Z|[+-]\d\d:?\d\d)(\[.*\])?$/.test(String(sent));
}

/** A date as a number: an instant, or a local time taken literally. */
export function readTime(sent: unknown): number {
	if (typeof sent === 'number') return sent;
	const text = String(sent)
		.replace(/\[.*\]$/, '')
		.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return Date.parse(hasOffset(text) ? text : `${text}Z`);
}
