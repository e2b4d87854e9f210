/** The events that do not follow uploads: each upload once, by its date. */
import { printDate } from '../../support/service/dates.mts';
import { FAILED, Oracle, timeOf } from './oracleBase.mts';
import type { PollLog } from './player.mts';
import type { Shown } from './world.mts';

const HOUR = 3_600_000;
const OFFSET = /(Z|[+-]\d\d:?\d\d)$/;

export class DatedOracle extends Oracle {
	private readonly date = this.event.date;
	private readonly isNow = this.history.start.startFrom === 'now';

	/** The date by which an upload counts, unless it failed and the event leaves out failed ones. */
	private countedDate(shown: Shown | undefined): unknown {
		const isFailed = shown !== undefined && FAILED.includes(shown.status);
		return this.event.excludesFailed && isFailed ? null : shown?.[this.date];
	}

	protected ofUpload(id: string): string[] {
		const complaints: string[] = [];
		const emissions = this.emissionsOf(id);
		const first = this.polls[this.firstSuccess];
		const atFirst = this.isNow && first ? this.shownAt(id, first.from) : undefined;
		let last = this.countedDate(atFirst);
		for (const { poll, item } of emissions) {
			const date = item[this.date];
			if (last != null && !this.isForgotten(id, last, poll)) {
				const why = atFirst?.[this.date] ? 'was listed at the first poll' : 'was emitted before';
				complaints.push(`emitted in poll ${poll.index}, but it ${why}`);
			}
			if (this.eligible(date) === 'no') complaints.push('dated before the start date');
			last = date;
		}
		const due = this.dueBy(id);
		if (due !== undefined && !emissions.some(({ poll }) => poll.index <= due)) {
			const [emission] = emissions;
			const when = emission === undefined ? 'never emitted' : `not before ${emission.poll.index}`;
			complaints.push(`due by poll ${due}, but ${when}`);
		}
		return complaints;
	}

	/**
	 * An upload counts as another one only if its date moved while the old one was outside the
	 * look-back.
	 */
	private isForgotten(id: string, last: unknown, { to }: PollLog): boolean {
		const { printZone = 'UTC' } = this.history.settings;
		const now = isLocal(last) ? timeOf(printDate(to, 'plain', printZone)) : to;
		return this.hasMoved(id) && now - timeOf(last) > this.leastLookback;
	}

	private hasMoved(id: string): boolean {
		const dates = this.versionsOf(id).flatMap(({ shown }) => shown?.[this.date] ?? []);
		return new Set(dates).size > 1;
	}

	/** The poll by which it must have been emitted; undefined if it need not be. */
	private dueBy(id: string): number | undefined {
		const { firstLook, history, isNow } = this;
		const firstPoll = this.polls[firstLook];
		if (firstPoll === undefined) return undefined;
		const listed = this.versionsOf(id).find(({ shown }) => this.countedDate(shown) != null);
		if (listed?.shown === undefined || this.hasMoved(id)) return undefined;
		if (isNow && listed.from <= firstPoll.to) return undefined;
		const wasThere = !isNow && listed.from <= firstPoll.from;
		const time = this.instantOf(listed.shown);
		if (!wasThere && listed.from - time > this.leastLookback) return undefined;
		if (this.isHiddenByFuture(time)) return undefined;
		// If a list cannot be read in order, or not all at once, a poll may still be in the previous
		// pass.
		let patience = history.settings.honourOrderBy && history.requestTime < 1000 ? 1 : 2;
		for (const poll of this.polls) {
			if (poll.items === undefined || (isNow && poll.index <= firstLook)) continue;
			const shown = this.shownDuring(id, poll).filter((each) => this.countedDate(each) != null);
			if (shown.length === 0) {
				if (poll.from >= listed.from) return undefined;
				continue;
			}
			if (!shown.every((each) => this.matches(each, poll.parameters.filters))) {
				if (!this.mayMatchLater(id, poll, time)) return undefined;
			} else if (poll.from >= listed.from && this.isThorough(poll) && --patience === 0) {
				return this.eligible(shown[0]?.[this.date]) === 'yes' ? poll.index : undefined;
			}
		}
		return undefined;
	}

	/** Without the service's time, a date ahead of it may hide others if n8n's clock is ahead too. */
	private isHiddenByFuture(time: number): boolean {
		if (this.history.settings.dateHeader !== false || this.history.behind >= 0) return false;
		return [...this.versions.values()].flat().some(({ from, shown }) => {
			const date = this.instantOf(shown);
			return date > from + 1000 && time < date;
		});
	}

	/** The date by which the event finds an upload, in epoch ms. */
	private instantOf(shown: Shown | undefined): number {
		return (this.date === 'completionDate' ? shown?.completedAt : shown?.createdAt) ?? 0;
	}

	/** An upload that was filtered out is emitted if it comes to match within the look-back. */
	private mayMatchLater(id: string, { index }: PollLog, time: number): boolean {
		const matching = this.polls.find(
			(later) =>
				later.index > index &&
				this.shownDuring(id, later).some((shown) => this.matches(shown, later.parameters.filters)),
		);
		return matching !== undefined && matching.from - time <= this.leastLookback;
	}

	/** Whether a date is after the start date, which may depend on the credential's zone. */
	private eligible(sent: unknown): 'yes' | 'no' | 'maybe' {
		const { start, zone, settings } = this.history;
		if (start.startFrom !== 'date') return 'yes';
		const [time, begin] = [timeOf(sent), Date.parse(start.startDate)];
		if (!isLocal(sent)) return time >= begin ? 'yes' : 'no';
		// The zone may be corrected at any time.
		const distances = [zone, settings.printZone ?? 'UTC'].map(
			(each) => time - timeOf(printDate(begin, 'plain', each)),
		);
		if (distances.every((distance) => distance > 2 * HOUR)) return 'yes';
		return distances.every((distance) => distance < -2 * HOUR) ? 'no' : 'maybe';
	}
}

/** Whether a date is sent without an offset. */
function isLocal(sent: unknown): boolean {
	return typeof sent !== 'number' && !OFFSET.test(String(sent));
}
