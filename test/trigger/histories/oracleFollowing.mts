/** The events that follow uploads: what is emitted of an upload while it is followed. */
import { hasEnded, type SeenUpload } from '../../../nodes/EngagementUploads/trigger/upload.ts';
import { Oracle, type Emission } from './oracleBase.mts';
import type { PollLog } from './player.mts';
import type { Shown } from './world.mts';

const HOUR = 3_600_000;
/** The default. */
const STUCK_AFTER = 6 * HOUR;

export class FollowingOracle extends Oracle {
	protected ofUpload(id: string): string[] {
		return this.event.isRepeating ? this.ofChanges(id) : this.ofOnce(id);
	}

	/** What has certainly occurred to an upload, whatever the clocks, if anything. */
	private certainly(shown: Shown, at: number): string | undefined {
		const { slack } = this;
		const occurrence = this.occurrence(shown, at - slack);
		return occurrence === this.occurrence(shown, at + slack) ? occurrence : undefined;
	}

	/** Whether something may have occurred to an upload as it was shown during a poll. */
	private mayHaveOccurred(shown: Shown, { from, to }: PollLog): boolean {
		const times = [from - this.slack, to + this.slack];
		return times.some((at) => this.occurrence(shown, at) !== undefined);
	}

	/** What has occurred to an upload at a time of the service's clock, as its event says. */
	private occurrence(shown: Shown, at: number): string | undefined {
		return this.event.occurrence(seen(shown), at, { stuckAfter: STUCK_AFTER });
	}

	private ofOnce(id: string): string[] {
		const complaints: string[] = [];
		const emissions = this.listEmissions(id);
		const first = this.polls[this.firstSuccess];
		const atFirst = first && this.shownAt(id, first.from);
		const hadOccurred = atFirst && this.certainly(atFirst, first.from) !== undefined;
		for (const [index, emission] of emissions.entries()) {
			const { poll, item } = emission;
			if (this.isRepeated(emission, emissions[index - 1])) complaints.push('emitted twice');
			if (hadOccurred && !this.isZoneChanged(first, poll))
				complaints.push('had occurred at the first poll');
			const shown = this.shownDuring(id, poll);
			const emitted = shown.filter(({ status }) => status === item.uploadStatus);
			if (!emitted.some((each) => this.mayHaveOccurred(each, poll)))
				complaints.push('has not occurred');
		}
		const baseline = this.polls[this.baselineEnd];
		const recorded = baseline ? this.shownDuring(id, baseline) : [];
		if (baseline && recorded.some((each) => this.mayHaveOccurred(each, baseline)))
			return complaints;
		const due = this.polls.findIndex((poll) => {
			const now = this.steady(id, poll);
			const occurrence = now && this.certainly(now, poll.from);
			return occurrence !== undefined && this.isFollowedIn(id, poll, occurrence);
		});
		if (due >= 0 && !emissions.some(({ poll }) => poll.index <= due))
			complaints.push(`due by poll ${due}, but not emitted`);
		return complaints;
	}

	/** The service's time, or n8n's if it sends none, against dates that may be in another zone. */
	private get slack(): number {
		const { settings, behind } = this.history;
		return this.zoneSlack + (settings.dateHeader === false ? Math.abs(behind) : 1000);
	}

	/** How far dates may be off if the credential's zone is another than the service's. */
	private get zoneSlack(): number {
		return this.isZoneWrong ? 27 * HOUR : 2 * HOUR;
	}

	private ofChanges(id: string): string[] {
		const complaints: string[] = [];
		const emissions = this.listEmissions(id);
		const first = this.polls[this.firstSuccess];
		const isBaseline = first !== undefined && this.shownAt(id, first.from) !== undefined;
		for (const [count, emission] of emissions.entries()) {
			const { index } = emission.poll;
			const { uploadStatus, previousStatus } = emission.item;
			const before = emissions[count - 1];
			if (uploadStatus === previousStatus)
				complaints.push(`emitted without a change in poll ${index}`);
			const known = before ?? (isBaseline ? { poll: first, item: {} } : undefined);
			if (previousStatus === null && this.isRepeated(emission, known))
				complaints.push(`considered new in poll ${index}`);
			if (typeof previousStatus === 'string' && !this.hadStatus(id, previousStatus, emission))
				complaints.push(`never was ${previousStatus} before poll ${index}`);
			const isSameAgain = before !== undefined && before.item.uploadStatus === uploadStatus;
			if (isSameAgain && this.isRepeated(emission, before) && !this.hadOther(id, before, emission))
				complaints.push(`${String(uploadStatus)} is emitted twice, in poll ${index}`);
		}
		const baseline = this.polls[this.baselineEnd];
		const recorded = baseline ? this.shownDuring(id, baseline).map(({ status }) => status) : [];
		const isKnown = (status: string, { index }: PollLog) =>
			recorded.includes(status) ||
			emissions.some(({ poll, item }) => poll.index <= index && item.uploadStatus === status);
		for (const poll of this.polls) {
			const status = this.steady(id, poll)?.status;
			if (status === undefined || isKnown(status, poll)) continue;
			if (!this.isFollowedIn(id, poll, status)) continue;
			complaints.push(`${status} due by poll ${poll.index}, but not emitted`);
			break;
		}
		return complaints;
	}

	/** The status in a poll that must have handled it, if the filter accepts it. */
	private steady(id: string, poll: PollLog): Shown | undefined {
		if (poll.index <= this.baselineEnd || !this.isThorough(poll)) return undefined;
		const shown = this.shownAt(id, poll.from);
		return shown && this.matches(shown) ? shown : undefined;
	}

	/** Whether it is certainly followed in a poll when something has just occurred to it. */
	private isFollowedIn(id: string, poll: PollLog, occurrence: string): boolean {
		const shown = this.shownAt(id, poll.from);
		if (shown === undefined) return false;
		const { followFor, lookback, settings } = this.history;
		const versions = this.listVersions(id);
		const firstShown = versions[0]?.from ?? 0;
		// An upload that is listed late is found within the look-back.
		if (firstShown - shown.createdAt > lookback) return false;
		// Without the service's own time, a clock that is ahead ends following earlier.
		const ahead = settings.dateHeader === false ? Math.max(0, -this.history.behind) : 0;
		const slack = this.zoneSlack + ahead;
		if (poll.from > shown.createdAt + followFor - slack) return false;
		const since = this.occurredBy(id, poll, occurrence);
		if (since <= (this.polls[this.baselineEnd]?.from ?? 0)) return false;
		// It had not ended before, or only shortly before.
		const ended = versions.find(
			({ from, shown: then }) => from < since && then && hasEnded(seen(then)),
		);
		return ended === undefined || poll.from <= ended.from + lookback - slack;
	}

	/** The latest time at which it may have begun to match what a poll finds. */
	private occurredBy(id: string, poll: PollLog, occurrence: string): number {
		let since = poll.from;
		const before = this.listVersions(id).filter(({ from }) => from <= poll.from);
		for (const { from, shown } of before.reverse()) {
			if (shown === undefined) continue;
			if (!this.matches(shown)) break;
			if (this.certainly(shown, since) !== occurrence) break;
			if (this.certainly(shown, from) !== occurrence) break;
			since = from;
		}
		return since;
	}

	/** Whether it had a status by the end of the poll that names it as the previous one. */
	private hadStatus(id: string, status: string, { poll }: Emission): boolean {
		return this.listVersions(id).some(
			({ from, shown }) => from <= poll.to && shown?.status === status,
		);
	}

	/** Whether it had another status between two polls that emitted the same one. */
	private hadOther(id: string, before: Emission, { poll, item }: Emission): boolean {
		return this.listVersions(id).some(
			({ from, shown }) =>
				from >= before.poll.from && from <= poll.to && shown?.status !== item.uploadStatus,
		);
	}
}

/** An upload as its event sees it. */
function seen({ createdAt, completedAt, status }: Shown): SeenUpload {
	const dates = { time: createdAt, completedAt: completedAt ?? undefined };
	return { id: '', ...dates, status, record: {} };
}
