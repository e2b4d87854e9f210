/** What all events promise for each poll. */
import type { IDataObject } from 'n8n-workflow';
import type { UploadEvent } from '../../../nodes/EngagementUploads/trigger/events/event.ts';
import { eventOf, type Filters, type History } from './history.mts';
import type { Played, PollLog } from './player.mts';
import type { Shown, Version } from './world.mts';

const SECOND = 1000;
const DURABLE_BUDGET = 36 * SECOND;
/** n8n waits no longer for a workflow to be published. */
const FIRST_BUDGET = 60 * SECOND;
const IN_MEMORY_BUDGET = 300 * SECOND;

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
	protected readonly versions: ReadonlyMap<string, Version[]>;

	constructor({ polls, history, versions }: Played) {
		this.polls = polls;
		this.history = history;
		this.event = eventOf(history);
		this.versions = versions;
	}

	protected abstract ofUpload(id: string): string[];

	complaints(): string[] {
		return [
			...this.polls.flatMap((poll) =>
				this.ofPoll(poll).map((text) => `poll ${poll.index}: ${text}`),
			),
			...[...this.versions.keys()].flatMap((id) =>
				[...this.ofUpload(id), ...this.delays(id)].map(
					(text) => `upload ${id.slice(0, 8)}: ${text}`,
				),
			),
		];
	}

	private ofPoll(poll: PollLog): string[] {
		const { items = [], isAlone, stateBefore, stateAfter } = poll;
		const complaints: string[] = [];
		if (poll.items === undefined && isAlone && stateBefore !== stateAfter)
			complaints.push('it failed, and changed the state');
		if (poll.items === undefined && isAlone && poll.useful.hasFirstSteps)
			complaints.push('it failed, although it had the steps of the oldest upload');
		if (new Set(items.map(({ uploadId }) => uploadId)).size < items.length)
			complaints.push('an upload is emitted twice');
		if (!this.isZoneWrong) {
			const times = items.map((item) => timeOf(item[this.event.date]));
			if (times.some((time, index) => time < (times[index - 1] ?? -Infinity)))
				complaints.push('not emitted oldest first');
		}
		for (const item of items)
			if (!this.wasShown(poll, item))
				complaints.push(`${String(item.uploadId)} was never shown like this`);
		if (items.length > this.history.maxUploads) complaints.push('more uploads than allowed');
		return complaints;
	}

	/**
	 * Each poll emits something, or throws, or nothing is due: what a poll emits must not have been due
	 * in two polls in a row before it that were silent, nor have been read, oldest first, by one that
	 * failed.
	 */
	private delays(id: string): string[] {
		const isReadInOrder = !this.history.hasSteps && this.history.settings.honourOrderBy === true;
		return this.emissionsOf(id).flatMap(({ poll }) => {
			if (this.changedWithin(poll.from, poll.to)) return [];
			const version = this.versionsOf(id).findLast(({ from }) => from <= poll.from);
			const shownSince = version?.from ?? Infinity;
			const couldEmit = ({ isAlone, parameters, from }: PollLog) =>
				isAlone &&
				isSame(parameters, poll.parameters) &&
				from > shownSince &&
				this.hasOccurred(id, from);
			const before = this.polls.slice(this.goneOnFrom(poll) + 1, poll.index);
			const silent = before.map(
				(each) =>
					each.items?.length === 0 &&
					!each.isActivation &&
					couldEmit(each) &&
					!this.mayBeOutdated(each),
			);
			const complaints: string[] = [];
			if (silent.some((isSilent, index) => isSilent && silent[index + 1] === true))
				complaints.push(`emitted in poll ${poll.index}, though due in two silent polls before`);
			const hasRead = ({ items, useful }: PollLog) =>
				items === undefined && useful.uploads.includes(id);
			if (isReadInOrder && before.some((each) => hasRead(each) && couldEmit(each)))
				complaints.push(`emitted in poll ${poll.index}, though one that failed had read it`);
			return complaints;
		});
	}

	/** The poll whose state this one has gone on from: a restart may undo what n8n had not saved. */
	private goneOnFrom({ index }: PollLog): number {
		const restart = this.polls.findLastIndex(
			({ isAfterRestart }, each) => each <= index && isAfterRestart,
		);
		const isAlwaysDurable = this.polls.every(({ isDurable }) => isDurable);
		return isAlwaysDurable ? this.firstLook : Math.max(this.firstLook, restart - 1);
	}

	/** Whether the event has certainly occurred to an upload at a time of the service's clock. */
	protected hasOccurred(_id: string, _at: number): boolean {
		return true;
	}

	/** Whether the poll could have handled everything that was shown. */
	protected isThorough(poll: PollLog): boolean {
		if (poll.items === undefined || !poll.isAlone || poll.isDisturbed) return false;
		// After an emission in durable polling, a first poll only shows that the service can be read.
		const before = this.polls.slice(0, poll.index);
		const mayBeFirst = poll.isDurable || before.some(({ isDurable }) => isDurable);
		if (poll.isActivation && mayBeFirst && poll.index > this.firstSuccess) return false;
		if (this.mayBeOutdated(poll)) return false;
		// Changes during reading may be handled by the next poll.
		if (this.changedWithin(poll.from, poll.to)) return false;
		const last = before.at(-1);
		if (last?.isDisturbed) return false;
		if (!this.isQuick(poll) || (last !== undefined && !this.isQuick(last))) return false;
		// Otherwise, more may be due than a poll may emit.
		return poll.items.length < this.history.maxUploads;
	}

	/** Whether it read all that it had to in its time. */
	private isQuick({ isActivation, isDurable, from, to }: PollLog): boolean {
		const later = isDurable ? DURABLE_BUDGET : IN_MEMORY_BUDGET;
		return to - from < (isActivation ? FIRST_BUDGET : later) * 0.45;
	}

	/** Whether n8n discards what it emits, or may still be saving what an earlier one has emitted. */
	private mayBeOutdated(poll: PollLog): boolean {
		const latest = this.polls.findLast(
			({ isDiscarded, index }) => isDiscarded && index <= poll.index,
		);
		return poll.isDurable && latest !== undefined && poll.from - latest.to < DURABLE_BUDGET;
	}

	protected emissionsOf(id: string): Emission[] {
		return this.polls.flatMap((poll) =>
			(poll.items ?? []).filter(({ uploadId }) => uploadId === id).map((item) => ({ poll, item })),
		);
	}

	/**
	 * Whether local times are read in a zone other than the service's: they may be off, and in another
	 * order where a change to summer time leaves out an hour.
	 */
	protected get isZoneWrong(): boolean {
		const { zone, settings } = this.history;
		const hasLocalTimes = (settings.dateForm ?? 'plain') === 'plain';
		return hasLocalTimes && zone !== (settings.printZone ?? 'UTC');
	}

	/** The shortest look-back of the history. */
	protected get leastLookback(): number {
		return Math.min(...this.polls.map(({ parameters }) => parameters.lookback));
	}

	/** The first successful poll, at which Start From: Now marks existing uploads as seen. */
	protected get firstSuccess(): number {
		return this.polls.findIndex(({ items }) => items !== undefined);
	}

	/** The poll that ends the first look: if the first one takes long, the next ones go on with it. */
	protected get firstLook(): number {
		const quick = this.polls.findIndex((poll) => poll.items !== undefined && this.isQuick(poll));
		return quick >= 0 ? quick : this.firstSuccess;
	}

	protected matches(shown: Shown, filters: Filters): boolean {
		return (
			isAmong(shown.status, filters.uploadStatuses) &&
			isAmong(shown.connectorName, filters.connectorNames)
		);
	}

	protected versionsOf(id: string): Version[] {
		return this.versions.get(id) ?? [];
	}

	/** What was shown of an upload at a time. */
	protected shownAt(id: string, time: number): Shown | undefined {
		return this.versionsOf(id).findLast(({ from }) => from <= time)?.shown;
	}

	/** Everything that was shown of an upload during a poll. */
	protected shownDuring(id: string, { from, to }: PollLog): Shown[] {
		const during = this.versionsOf(id).filter((each) => each.from > from && each.from <= to);
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
				this.matches(shown, poll.parameters.filters),
		);
	}
}

function isAmong(value: string, list: string | undefined): boolean {
	return list === undefined || list.toUpperCase().split(', ').includes(value.toUpperCase());
}

export function isSame(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

/** A date as a number: an instant, or a local time taken literally. */
export function timeOf(sent: unknown): number {
	if (typeof sent === 'number') return sent;
	const text = String(sent).replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}
