/** The events that do not follow uploads: each upload once, by its date. */
import { printDate } from '../../support/service/dates.mts';
import { FAILED, Oracle, timeOf } from './oracleBase.mts';
import type { IDataObject } from 'n8n-workflow';
import { eventOf } from './history.mts';
import type { PollLog } from './player.mts';
import type { Shown } from './world.mts';

const HOUR = 3_600_000;
/** Uploads older than the first poll by this and the look-back are never emitted. */
const MARGIN = 28 * HOUR;
const OFFSET = /(Z|[+-]\d\d:?\d\d)$/;

export class DatedOracle extends Oracle {
	private readonly event = eventOf(this.history);
	protected readonly date = this.event.date;

	/** The date by which an upload counts, unless it failed and the event leaves out failed ones. */
	private countedDate(shown: Shown | undefined): unknown {
		const isFailed = shown !== undefined && FAILED.includes(shown.status);
		return this.event.excludesFailed && isFailed ? null : shown?.[this.date];
	}

	protected ofUpload(id: string): string[] {
		const complaints: string[] = [];
		const emissions = this.emissionsOf(id);
		const first = this.polls[this.firstSuccess];
		const isNow = this.history.start.startFrom === 'now';
		const isSeen = isNow && first && !this.history.isFirstEmpty;
		const atFirst = isSeen ? this.world.shownAt(id, first.from) : undefined;
		let last = this.countedDate(atFirst);
		for (const { poll, item } of emissions) {
			if (last != null && !this.isForgotten(id, last, poll)) {
				const why = atFirst?.[this.date] ? 'was listed at the first poll' : 'was emitted before';
				complaints.push(`emitted in poll ${poll}, but it ${why}`);
			}
			if (this.eligible(timeOf(item[this.date]), item[this.date]) === 'no')
				complaints.push('dated before the start date');
			if (this.wasExcluded(id, poll)) complaints.push(`replayed in poll ${poll}`);
			if (isNow && first && this.isTooOld(this.shownAs(id, item), first))
				complaints.push('much older than the first poll');
			last = item[this.date];
		}
		const due = this.dueBy(id);
		if (due !== undefined && !emissions.some(({ poll }) => poll <= due)) {
			const when = emissions[0] === undefined ? 'never emitted' : `not before ${emissions[0].poll}`;
			complaints.push(`due by poll ${due}, but ${when}`);
		}
		return complaints;
	}

	/** The upload as it was when it was shown with the date of an item. */
	private shownAs(id: string, item: IDataObject): Shown | undefined {
		const versions = this.world.versions.get(id) ?? [];
		return versions.find(({ shown }) => shown?.[this.date] === item[this.date])?.shown;
	}

	/** Whether it is dated long before the first poll, which may have missed it. */
	private isTooOld(shown: Shown | undefined, first: PollLog): boolean {
		if (this.history.settings.dateHeader === false || shown === undefined) return false;
		// Times are read in the credential's zone, which may be another than the service's.
		const slack = this.isZoneWrong ? 2 * MARGIN : MARGIN;
		return this.instantOf(shown) < first.from - first.parameters.lookback - slack;
	}

	/**
	 * An upload counts as another one only if its date moved while the old one was outside the
	 * look-back.
	 */
	private isForgotten(id: string, last: unknown, poll: number): boolean {
		const { to = 0 } = this.polls[poll] ?? {};
		const isInstant = typeof last === 'number' || OFFSET.test(String(last));
		const { printZone = 'UTC' } = this.history.settings;
		const now = isInstant ? to : timeOf(printDate(to, 'plain', printZone));
		return this.hasMoved(id) && now - timeOf(last) > this.leastLookback;
	}

	private hasMoved(id: string): boolean {
		const dates = (this.world.versions.get(id) ?? []).flatMap(({ shown }) =>
			shown?.[this.date] == null ? [] : [shown[this.date]],
		);
		return new Set(dates).size > 1;
	}

	/** The poll by which it must have been emitted; undefined if it need not be. */
	private dueBy(id: string): number | undefined {
		const { firstLook, world, history } = this;
		const isNow = history.start.startFrom === 'now';
		const firstPoll = this.polls[firstLook];
		if (firstPoll === undefined) return undefined;
		const listed = (world.versions.get(id) ?? []).find(
			({ shown }) => this.countedDate(shown) != null,
		);
		if (listed?.shown === undefined || this.hasMoved(id)) return undefined;
		if (isNow && listed.from <= firstPoll.to) return undefined;
		const lookback = this.leastLookback;
		const wasThere = !isNow && listed.from <= firstPoll.from;
		const time = this.instantOf(listed.shown);
		if (!wasThere && listed.from - time > lookback) return undefined;
		if (this.isHiddenByFuture(time)) return undefined;
		// If a list cannot be read in order, or not all at once, a poll may still be in the previous
		// pass.
		let patience = history.settings.honourOrderBy && history.requestTime < 1000 ? 1 : 2;
		for (const [index, poll] of this.polls.entries()) {
			if (poll.items === undefined || (isNow && index <= firstLook)) continue;
			const shown = this.shownDuring(id, poll).filter((each) => this.countedDate(each) != null);
			if (shown.length === 0) {
				if (poll.from >= listed.from) return undefined;
				continue;
			}
			if (!shown.every((each) => this.matches(each, poll.parameters.filters))) {
				if (!this.mayMatchLater(id, index, time, lookback)) return undefined;
			} else if (this.mayBeExcluded(index, listed.from)) {
				return undefined;
			} else if (poll.from >= listed.from && this.isThorough(poll, index) && --patience === 0) {
				return this.eligible(timeOf(shown[0]?.[this.date]), shown[0]?.[this.date]) === 'yes'
					? index
					: undefined;
			}
		}
		return undefined;
	}

	/**
	 * After n8n was restarted with another filter, uploads completed before count as filtered out.
	 */
	private mayBeExcluded(index: number, listedFrom: number): boolean {
		const before = this.polls.findLastIndex((poll, at) => at < index && poll.items !== undefined);
		if (before < 0 || (this.polls[before]?.to ?? 0) >= listedFrom) return false;
		const between = this.polls.slice(before + 1, index + 1);
		const isChanged = !isSame(
			this.polls[before]?.parameters.filters,
			this.polls[index]?.parameters.filters,
		);
		return (
			!this.history.durable && isChanged && between.some(({ isAfterRestart }) => isAfterRestart)
		);
	}

	/** Local times less than 26 hours ahead may hide others, which is a documented limit. */
	private isHiddenByFuture(time: number): boolean {
		const { dateForm = 'plain', dateHeader } = this.history.settings;
		const isLocal = dateForm === 'plain' || this.history.isMixed;
		const isBehind = dateHeader === false && this.history.behind < 0;
		if (!isLocal && !isBehind) return false;
		return [...this.world.versions.values()].flat().some(({ from, shown }) => {
			const date = this.instantOf(shown);
			return date > from + 1000 && time < date;
		});
	}

	/** The date by which the event finds an upload, in epoch ms. */
	private instantOf(shown: Shown | undefined): number {
		return (this.date === 'completionDate' ? shown?.completedAt : shown?.createdAt) ?? 0;
	}

	/** An upload that was filtered out is emitted if its status changes within the look-back. */
	private mayMatchLater(id: string, index: number, time: number, lookback: number): boolean {
		const { filters } = this.polls[index]?.parameters ?? {};
		const next = this.polls.findIndex(
			(later, at) =>
				at > index &&
				this.shownDuring(id, later).some((shown) => this.matches(shown, later.parameters.filters)),
		);
		const changed = this.polls[next];
		if (changed === undefined) return false;
		const between = this.polls.slice(index, next + 1);
		return (
			between.every((later) => isSame(later.parameters.filters, filters)) &&
			changed.from - time <= lookback
		);
	}

	/** Whether another filter had filtered out an unchanged upload. */
	private wasExcluded(id: string, emittedIn: number): boolean {
		const filters = this.polls[emittedIn]?.parameters.filters;
		if (this.hasMoved(id)) return false;
		const firstLook = this.history.start.startFrom === 'now' ? this.firstLook : -1;
		return this.polls.some((poll, index) => {
			if (index >= emittedIn || index <= firstLook || !this.isThorough(poll, index)) return false;
			const shown = this.world.shownAt(id, poll.from);
			return (
				shown !== undefined &&
				this.countedDate(shown) != null &&
				!this.matches(shown, poll.parameters.filters) &&
				!isSame(poll.parameters.filters, filters) &&
				!this.wasLost(index, emittedIn)
			);
		});
	}

	/** Whether a date is after the start date, which may depend on the credential's zone. */
	private eligible(time: number, sent: unknown): 'yes' | 'no' | 'maybe' {
		const { start, zone } = this.history;
		if (start.startFrom !== 'date') return 'yes';
		const begin = Date.parse(start.startDate);
		const isLocal = typeof sent === 'string' && !OFFSET.test(sent);
		if (!isLocal) return time >= begin ? 'yes' : 'no';
		const boundary = timeOf(printDate(begin, 'plain', zone));
		if (Math.abs(time - boundary) <= 2 * HOUR) return 'maybe';
		return time >= boundary ? 'yes' : 'no';
	}
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
