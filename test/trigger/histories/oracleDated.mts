/** The events that do not follow uploads: each upload once, by its date. */
import { printDate } from '../../support/service/dates.mts';
import { FAILED, hasOffset, Oracle, readTime } from './oracleBase.mts';
import type { PollLog } from './player.mts';
import type { Shown } from './world.mts';

const HOUR = 3_600_000;

export class DatedOracle extends Oracle {
	private readonly date = this.event.date;
	private readonly leavesOutFailed = this.event.value === 'uploadCompleted';
	private readonly isNow = this.history.start.startFrom === 'now';

	/** Whether an upload has the date, and has not failed if the event leaves out failed ones. */
	private counts(shown: Shown | undefined): boolean {
		const isFailed = shown !== undefined && FAILED.includes(shown.status);
		return shown?.[this.date] != null && !(this.leavesOutFailed && isFailed);
	}

	protected ofUpload(id: string): string[] {
		const complaints: string[] = [];
		const emissions = this.listEmissions(id);
		const [emission] = emissions;
		const first = this.polls[this.firstSuccess];
		const wasListed = first && this.isNow && this.counts(this.shownAt(id, first.from));
		for (const [index, each] of emissions.entries()) {
			const { poll, item } = each;
			if (this.isRepeated(each, emissions[index - 1])) complaints.push('emitted twice');
			if (wasListed && !this.isZoneChanged(first, poll))
				complaints.push('was listed at the first poll');
			if (this.compareToStart(item[this.date], poll.zone) === 'before')
				complaints.push('dated before the start date');
		}
		const due = this.dueBy(id);
		if (due !== undefined && !emissions.some(({ poll }) => poll.index <= due)) {
			const when = emission === undefined ? 'never emitted' : `not before ${emission.poll.index}`;
			complaints.push(`due by poll ${due}, but ${when}`);
		}
		return complaints;
	}

	/** The poll by which it must have been emitted; undefined if it need not be. */
	private dueBy(id: string): number | undefined {
		const { baselineEnd, history, isNow } = this;
		const firstPoll = this.polls[baselineEnd];
		const listed = this.listVersions(id).find(({ shown }) => this.counts(shown));
		if (firstPoll === undefined || listed?.shown === undefined) return undefined;
		if (isNow && listed.from <= firstPoll.to) return undefined;
		const wasThere = !isNow && listed.from <= firstPoll.from;
		const { completedAt, createdAt } = listed.shown;
		const time = (this.date === 'completionDate' ? completedAt : createdAt) ?? 0;
		if (!wasThere && listed.from - time > history.lookback) return undefined;
		// If a list cannot be read in order, or not all at once, a poll may still be in the previous
		// pass.
		let patience = history.settings.honourOrderBy && history.requestTime < 1000 ? 1 : 2;
		for (const poll of this.polls) {
			if (poll.items === undefined || (isNow && poll.index <= baselineEnd)) continue;
			const shown = this.shownDuring(id, poll).filter((each) => this.counts(each));
			if (shown.length === 0) {
				if (poll.from >= listed.from) return undefined;
				continue;
			}
			if (!shown.every((each) => this.matches(each))) return undefined;
			if (poll.from >= listed.from && this.isThorough(poll) && --patience === 0)
				return this.isAfterStart(shown[0]?.[this.date], poll) ? poll.index : undefined;
		}
		return undefined;
	}

	/** Whether a date is after the start date, in the zones of all polls so far. */
	private isAfterStart(sent: unknown, { index }: PollLog): boolean {
		const polls = this.polls.slice(0, index + 1);
		return polls.every(({ zone }) => this.compareToStart(sent, zone) === 'after');
	}

	/** Whether a date is after the start date, as far as changes to and from summer time allow to tell. */
	private compareToStart(sent: unknown, zone: string): 'before' | 'after' | 'unknown' {
		const { start } = this.history;
		if (start.startFrom !== 'date') return 'after';
		const begin = Date.parse(start.startDate);
		if (hasOffset(sent)) return readTime(sent) >= begin ? 'after' : 'before';
		const distance = readTime(sent) - readTime(printDate(begin, 'plain', zone));
		if (Math.abs(distance) <= 2 * HOUR) return 'unknown';
		return distance > 0 ? 'after' : 'before';
	}
}
