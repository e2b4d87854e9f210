/** The events that follow uploads: what is emitted of an upload while it is followed. */
import { read } from '../../../nodes/EngagementUploads/fields/field.ts';
import { hasEnded, type SeenUpload } from '../../../nodes/EngagementUploads/trigger/upload.ts';
import { eventOf } from './history.mts';
import { Oracle } from './oracleBase.mts';
import type { PollLog } from './player.mts';
import type { Shown } from './world.mts';

const HOUR = 3_600_000;

export class FollowingOracle extends Oracle {
	private readonly event = eventOf(this.history);
	protected readonly date = this.event.date;
	private readonly parameters = read(this.event.parameters ?? {}, {
		zone: 'UTC',
		value: (name) => this.history.own[name],
	});

	protected ofUpload(id: string): string[] {
		return this.event.isRepeating ? this.ofChanges(id) : this.ofOnce(id);
	}

	protected override hasOccurred(id: string, at: number): boolean {
		const shown = this.world.shownAt(id, at);
		return shown !== undefined && this.certainly(shown, at) !== undefined;
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
		return this.event.occurrence(seen(shown), at, this.parameters);
	}

	private ofOnce(id: string): string[] {
		const complaints: string[] = [];
		const emissions = this.emissionsOf(id);
		const first = this.polls[this.firstSuccess];
		if (emissions.length > 1) complaints.push('emitted twice');
		if (emissions.length > 0 && first && this.hasOccurred(id, first.from))
			complaints.push('had occurred at the first poll');
		for (const { poll, item } of emissions) {
			const log = this.polls[poll];
			const shown = log && this.shownDuring(id, log);
			const emitted = shown?.filter(({ status }) => status === item.uploadStatus) ?? [];
			if (!emitted.some((each) => log && this.mayHaveOccurred(each, log)))
				complaints.push('has not occurred');
		}
		const look = this.polls[this.firstLook];
		const taken = look ? this.shownDuring(id, look) : [];
		if (look && taken.some((each) => this.mayHaveOccurred(each, look))) return complaints;
		const due = this.polls.findIndex((poll, index) => {
			const now = this.steady(id, poll, index);
			const occurrence = now && this.certainly(now, poll.from);
			return occurrence !== undefined && this.isFollowedIn(id, index, occurrence);
		});
		if (due >= 0 && !emissions.some(({ poll }) => poll <= due))
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
		const first = this.polls[this.firstSuccess];
		const atFirst = first && this.world.shownAt(id, first.from);
		let lastEmitted: string | null = null;
		let isBaseline = atFirst !== undefined;
		for (const { poll, item } of this.emissionsOf(id)) {
			const { uploadStatus, previousStatus } = item;
			if (uploadStatus === previousStatus)
				complaints.push(`emitted without a change in poll ${poll}`);
			if (previousStatus === null && isBaseline) complaints.push(`considered new in poll ${poll}`);
			if (typeof previousStatus === 'string' && !this.hadStatus(id, previousStatus, poll))
				complaints.push(`never was ${previousStatus} before poll ${poll}`);
			if (lastEmitted === uploadStatus && !this.hadOther(id, poll, lastEmitted))
				complaints.push(`${lastEmitted} is emitted twice, in poll ${poll}`);
			if (typeof uploadStatus === 'string') lastEmitted = uploadStatus;
			isBaseline = true;
		}
		const due = this.polls.findIndex((poll, index) => {
			const now = this.steady(id, poll, index);
			if (now === undefined || index <= this.firstLook) return false;
			const look = this.polls[this.firstLook];
			const taken = look ? this.shownDuring(id, look).map(({ status }) => status) : [];
			if ([this.lastEmitted(id, index), ...taken].includes(now.status)) return false;
			if (this.hadBefore(id, index, now.status)) return false;
			return this.isFollowedIn(id, index, now.status);
		});
		if (due >= 0)
			complaints.push(
				`${this.world.shownAt(id, this.polls[due]?.from ?? 0)?.status} due by poll ${due}, but not emitted`,
			);
		return complaints;
	}

	/** The status in a poll that must have handled it, if the filter accepts it. */
	private steady(id: string, poll: PollLog, index: number): Shown | undefined {
		if (index <= this.firstLook || !this.isThorough(poll, index)) return undefined;
		const shown = this.world.shownAt(id, poll.from);
		return shown && this.matches(shown, poll.parameters.filters) ? shown : undefined;
	}

	/** Whether it is certainly followed in a poll when something has just occurred to it. */
	private isFollowedIn(id: string, index: number, occurrence: string): boolean {
		const poll = this.polls[index];
		const shown = poll && this.world.shownAt(id, poll.from);
		if (poll === undefined || shown === undefined) return false;
		const { followFor, settings } = this.history;
		const lookback = this.leastLookback;
		const versions = this.world.versions.get(id) ?? [];
		const firstShown = versions[0]?.from ?? 0;
		// An upload that is listed late is found within the look-back.
		if (firstShown - shown.createdAt > lookback) return false;
		if (shown.createdAt > firstShown + 1000 || this.hasFuture()) return false;
		// Without the service's own time, a clock that is ahead ends following earlier.
		const ahead = settings.dateHeader === false ? Math.max(0, -this.history.behind) : 0;
		const slack = this.zoneSlack + ahead;
		if (poll.from > shown.createdAt + followFor - slack) return false;
		const since = this.occurredBy(id, poll, occurrence);
		if (since <= (this.polls[this.firstLook]?.from ?? 0)) return false;
		// It had not ended before, or only shortly before.
		const ended = versions.find(
			({ from, shown: then }) => from < since && then && hasEnded(seen(then)),
		);
		if (ended !== undefined && poll.from > ended.from + lookback - slack) return false;
		// Another filter may have excluded it.
		const filters = JSON.stringify(poll.parameters.filters);
		return this.polls.every(
			({ parameters }, at) => at > index || JSON.stringify(parameters.filters) === filters,
		);
	}

	/** The latest time at which it may have begun to match what a poll finds. */
	private occurredBy(id: string, poll: PollLog, occurrence: string): number {
		let since = poll.from;
		const before = (this.world.versions.get(id) ?? []).filter(({ from }) => from <= poll.from);
		for (const { from, shown } of before.reverse()) {
			if (shown === undefined) continue;
			if (!this.matches(shown, poll.parameters.filters)) break;
			if (this.certainly(shown, since) !== occurrence) break;
			if (this.certainly(shown, from) !== occurrence) break;
			since = from;
		}
		return since;
	}

	private hasFuture(): boolean {
		return [...this.world.versions.values()]
			.flat()
			.some(({ from, shown }) => shown && shown.createdAt > from + 1000);
	}

	private lastEmitted(id: string, index: number): string | undefined {
		const emission = this.emissionsOf(id).findLast(({ poll }) => poll <= index);
		return emission && String(emission.item.uploadStatus);
	}

	/** Whether the trigger may have seen this status before, and emitted or recorded it. */
	private hadBefore(id: string, index: number, status: string): boolean {
		return this.emissionsOf(id).some(
			({ poll, item }) => poll <= index && item.uploadStatus === status,
		);
	}

	private hadStatus(id: string, status: string, poll: number): boolean {
		const until = this.polls[poll]?.to ?? 0;
		return (this.world.versions.get(id) ?? []).some(
			({ from, shown }) => from <= until && shown?.status === status,
		);
	}

	/** Whether it had another status between two polls that emitted the same one. */
	private hadOther(id: string, poll: number, status: string | null): boolean {
		const before = this.emissionsOf(id).findLast((emission) => emission.poll < poll);
		const from = this.polls[before?.poll ?? 0]?.from ?? 0;
		const to = this.polls[poll]?.to ?? 0;
		return (this.world.versions.get(id) ?? []).some(
			(version) => version.from >= from && version.from <= to && version.shown?.status !== status,
		);
	}
}

/** An upload as its event sees it. */
function seen({ createdAt, completedAt, status }: Shown): SeenUpload {
	const dates = { time: createdAt, completedAt: completedAt ?? undefined };
	return { id: '', ...dates, status, isLocal: false, record: {} };
}
