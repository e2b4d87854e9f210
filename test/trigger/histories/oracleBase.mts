/** What all events promise for each poll. */
import type { IDataObject } from 'n8n-workflow';
import type { Filters, History } from './history.mts';
import type { Played, PollLog } from './player.mts';
import type { Shown, World } from './world.mts';

const SECOND = 1000;
const DURABLE_BUDGET = 36 * SECOND;
/** n8n waits no longer for a workflow to be published. */
const FIRST_BUDGET = 60 * SECOND;
const IN_MEMORY_BUDGET = 300 * SECOND;

/** The failed statuses that occur in histories. */
export const FAILED = ['FAILED', 'ABORTED'];

export abstract class Oracle {
	protected readonly polls: PollLog[];
	protected readonly history: History;
	protected readonly world: World;

	constructor(played: Played) {
		this.polls = played.polls;
		this.history = played.history;
		this.world = played.world;
	}

	/** The date field by which the event finds its uploads. */
	protected abstract readonly date: 'creationDate' | 'completionDate';

	protected abstract ofUpload(id: string): string[];

	complaints(): string[] {
		return [
			...this.polls.flatMap((poll, index) =>
				this.ofPoll(poll, index).map((text) => `poll ${index}: ${text}`),
			),
			...[...this.world.versions.keys()].flatMap((id) =>
				[...this.ofUpload(id), ...this.silences(id), ...this.wastes(id)].map(
					(text) => `upload ${id.slice(0, 8)}: ${text}`,
				),
			),
		];
	}

	protected ofPoll(poll: PollLog, _index: number): string[] {
		const { items = [], isAlone, stateBefore, stateAfter } = poll;
		const complaints: string[] = [];
		if (poll.items === undefined && isAlone && stateBefore !== stateAfter)
			complaints.push('it failed, and changed the state');
		if (poll.items === undefined && isAlone && poll.useful.hasFirstSteps)
			complaints.push('it failed, although it had the steps of the oldest upload');
		if (new Set(items.map(({ uploadId }) => uploadId)).size < items.length)
			complaints.push('an upload is emitted twice');
		if (!this.history.isMixed && !this.isZoneWrong) {
			const times = items.map((item) => timeOf(item[this.date]));
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
	 * Each poll emits something, or throws, or nothing is due: two polls in a row that do neither must
	 * not have had before them what a later one emits.
	 */
	private silences(id: string): string[] {
		return this.emissionsOf(id).flatMap(({ poll: at }) => {
			const { parameters, from: until } = this.polls[at] ?? { parameters: undefined, from: 0 };
			const shownSince =
				(this.world.versions.get(id) ?? []).findLast(({ from }) => from <= until)?.from ?? Infinity;
			const isDue = (at: number) => at > shownSince && this.hasOccurred(id, at);
			if (this.world.changedWithin(until, this.polls[at]?.to ?? 0)) return [];
			const silent = this.polls.slice(this.goneOnFrom(at) + 1, at).map((each) => {
				const { items, isAlone, isActivation } = each;
				const isSame = JSON.stringify(each.parameters) === JSON.stringify(parameters);
				const isSilent = items?.length === 0 && isAlone && !isActivation;
				return isSilent && isSame && isDue(each.from) && !this.mayBeOutdated(each);
			});
			const isTwice = silent.some((isSilent, index) => isSilent && silent[index + 1] === true);
			return isTwice ? [`emitted in poll ${at}, though due in two silent polls before`] : [];
		});
	}

	/** A poll that fails must not have read, oldest first, what a later one emits. */
	private wastes(id: string): string[] {
		const { hasSteps, settings } = this.history;
		if (hasSteps || settings.honourOrderBy !== true) return [];
		return this.emissionsOf(id).flatMap(({ poll: at }) => {
			const { parameters, from: until } = this.polls[at] ?? { parameters: undefined, from: 0 };
			const versions = this.world.versions.get(id) ?? [];
			const shownSince = versions.findLast(({ from }) => from <= until)?.from ?? Infinity;
			if (this.world.changedWithin(until, this.polls[at]?.to ?? 0)) return [];
			const failed = this.polls.slice(this.goneOnFrom(at) + 1, at).find((each) => {
				const isSame = JSON.stringify(each.parameters) === JSON.stringify(parameters);
				const hasFailed = each.items === undefined && each.isAlone && isSame;
				const isDue = each.from > shownSince && this.hasOccurred(id, each.from);
				return hasFailed && isDue && each.useful.uploads.includes(id);
			});
			return failed ? [`emitted in poll ${at}, though one that failed had read it`] : [];
		});
	}

	/** The poll whose state this one has gone on from: a restart may undo what n8n had not saved. */
	private goneOnFrom(at: number): number {
		const restart = this.polls.findLastIndex(
			({ isAfterRestart }, each) => each <= at && isAfterRestart,
		);
		return this.history.durable ? this.firstLook : Math.max(this.firstLook, restart - 1);
	}

	/** Whether the event has certainly occurred to an upload at a time of the service's clock. */
	protected hasOccurred(_id: string, _at: number): boolean {
		return true;
	}

	/** Whether the poll could have handled everything that was shown. */
	protected isThorough(poll: PollLog, index: number): boolean {
		if (poll.items === undefined || !poll.isAlone || poll.isDisturbed) return false;
		if (this.mayBeOutdated(poll)) return false;
		// Changes during reading may be handled by the next poll.
		if (this.world.changedWithin(poll.from, poll.to)) return false;
		const before = this.polls[index - 1];
		if (before?.isDisturbed) return false;
		if (!this.isQuick(poll) || (before !== undefined && !this.isQuick(before))) return false;
		return this.history.uploads.length < this.history.maxUploads;
	}

	/** Whether it read all that it had to in its time. */
	private isQuick({ isActivation, from, to }: PollLog): boolean {
		const later = this.history.durable ? DURABLE_BUDGET : IN_MEMORY_BUDGET;
		return to - from < (isActivation ? FIRST_BUDGET : later) * 0.45;
	}

	/** Whether n8n discards what it emits, or may still be saving what an earlier one has emitted. */
	private mayBeOutdated(poll: PollLog): boolean {
		const upTo = this.polls.slice(0, this.polls.indexOf(poll) + 1);
		const latest = upTo.findLast(({ isDiscarded }) => isDiscarded);
		return this.history.durable && latest !== undefined && poll.from - latest.to < DURABLE_BUDGET;
	}

	/** Whether a restart before another poll undid what a poll noted: n8n had not saved it. */
	protected wasLost(index: number, before: number): boolean {
		const later = this.polls.slice(index, before + 1);
		const restart = later.findIndex(({ isAfterRestart }, at) => at > 0 && isAfterRestart);
		const isSaved = ({ items = [], isActivation }: PollLog) => isActivation || items.length > 0;
		return restart > 0 && !this.history.durable && !later.slice(0, restart).some(isSaved);
	}

	protected emissionsOf(id: string): Array<{ poll: number; item: IDataObject }> {
		return this.polls.flatMap(({ items = [] }, poll) =>
			items.filter(({ uploadId }) => uploadId === id).map((item) => ({ poll, item })),
		);
	}

	/**
	 * Whether local times are read in a zone other than the service's: they may be off, and in another
	 * order where a change to summer time leaves out an hour.
	 */
	protected get isZoneWrong(): boolean {
		const { zone, settings, isMixed } = this.history;
		const hasLocalTimes = isMixed || (settings.dateForm ?? 'plain') === 'plain';
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

	/** Everything that was shown of an upload during a poll. */
	protected shownDuring(id: string, { from, to }: PollLog): Shown[] {
		const versions = this.world.versions.get(id) ?? [];
		const during = versions.filter((version) => version.from > from && version.from <= to);
		return [this.world.shownAt(id, from), ...during.map(({ shown }) => shown)].filter(
			(shown) => shown !== undefined,
		);
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

/** A date as a number: an instant, or a local time taken literally. */
export function timeOf(sent: unknown): number {
	if (typeof sent === 'number') return sent;
	const text = String(sent).replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}
