/** Upload Failed and Upload Status Changed: what is emitted for an upload while it is followed. */
import { eventOf } from './history.mts';
import { FAILED, Oracle } from './oracleBase.mts';
import type { PollLog } from './player.mts';
import type { Shown } from './world.mts';

const HOUR = 3_600_000;

export class FollowingOracle extends Oracle {
	protected readonly date = 'creationDate' as const;

	protected ofUpload(id: string): string[] {
		const { event } = this.history;
		if (event === 'uploadFailed') return this.ofFailure(id);
		if (event === 'uploadStatusChanged') return this.ofStatuses(id);
		if (event === 'uploadStuck') return this.ofStuck(id);
		throw new Error(`Define in test/trigger/histories/oracleFollowing.mts what ${event} promises`);
	}

	protected override occursAt(id: string): number {
		const { stuckAfter } = this.history;
		const created = this.world.versions.get(id)?.find(({ shown }) => shown)?.shown?.createdAt ?? 0;
		return eventOf(this.history).parameters === undefined ? 0 : created + stuckAfter + this.slack;
	}

	private ofFailure(id: string): string[] {
		const complaints: string[] = [];
		const emissions = this.emissionsOf(id);
		const first = this.polls[this.firstSuccess];
		const atFirst = first && this.world.shownAt(id, first.from);
		if (emissions.length > 1) complaints.push('emitted twice');
		if (emissions.length > 0 && atFirst && FAILED.includes(atFirst.status))
			complaints.push('had failed at the first poll');
		if (emissions.some(({ item }) => !FAILED.includes(String(item.uploadStatus))))
			complaints.push('has not failed');
		const look = this.polls[this.firstLook];
		const taken = look ? this.shownDuring(id, look) : [];
		if (emissions.length === 0 && !taken.some(({ status }) => FAILED.includes(status))) {
			const due = this.polls.findIndex((poll, index) => {
				const now = this.steady(id, poll, index);
				return (
					now !== undefined && FAILED.includes(now.status) && this.isFollowedIn(id, index, FAILED)
				);
			});
			if (due >= 0) complaints.push(`due by poll ${due}, but never emitted`);
		}
		return complaints;
	}

	private ofStuck(id: string): string[] {
		const complaints: string[] = [];
		const emissions = this.emissionsOf(id);
		const { stuckAfter } = this.history;
		const { slack } = this;
		const first = this.polls[this.firstSuccess];
		const atFirst = first && this.world.shownAt(id, first.from);
		const isStuck = (shown: Shown, at: number, spare: number) =>
			!this.hasEnded(shown) && at >= shown.createdAt + stuckAfter + spare;
		if (emissions.length > 1) complaints.push('emitted twice');
		if (emissions.length > 0 && first && atFirst && isStuck(atFirst, first.from, slack))
			complaints.push('was stuck at the first poll');
		for (const { poll } of emissions) {
			const log = this.polls[poll];
			const shown = log && this.shownDuring(id, log);
			if (!shown?.some((each) => isStuck(each, log?.to ?? 0, -slack)))
				complaints.push('is not stuck');
		}
		const due = this.polls.findIndex((poll, index) => {
			const now = this.steady(id, poll, index);
			if (now === undefined || !isStuck(now, poll.from, slack)) return false;
			const versions = (this.world.versions.get(id) ?? []).filter(({ from }) => from <= poll.from);
			if (versions.some(({ shown }) => shown === undefined || this.hasEnded(shown))) return false;
			// In the hour that the end of summer time repeats, it may look stuck as soon as it is listed.
			const look = this.polls[this.firstLook];
			const taken = look ? this.shownDuring(id, look) : [];
			if (look && taken.some((each) => isStuck(each, look.to, -slack))) return false;
			return this.isFollowedIn(id, index, undefined);
		});
		if (due >= 0 && !emissions.some(({ poll }) => poll <= due))
			complaints.push(`due by poll ${due}, but not emitted`);
		return complaints;
	}

	private hasEnded({ completedAt, status }: Shown): boolean {
		return completedAt !== null || FAILED.includes(status);
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

	private ofStatuses(id: string): string[] {
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
			return this.isFollowedIn(id, index, [now.status]);
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

	/**
	 * Whether it is certainly followed when it is first shown with one of these statuses; undefined:
	 * as long as it has not ended.
	 */
	private isFollowedIn(id: string, index: number, statuses: string[] | undefined): boolean {
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
		const slack = this.zoneSlack;
		// Without the service's own time, a clock that is ahead ends following earlier.
		const ahead = settings.dateHeader === false ? Math.max(0, -this.history.behind) : 0;
		if (poll.from > shown.createdAt + followFor - slack - ahead) return false;
		const atFirst = this.polls[this.firstLook]?.from ?? 0;
		if (statuses !== undefined) {
			const changed = versions.findLast(
				({ from, shown: then }) => from <= poll.from && then && !statuses.includes(then.status),
			)?.from;
			const since =
				versions.find(
					({ from, shown: then }) =>
						from > (changed ?? -Infinity) && then && statuses.includes(then.status),
				)?.from ?? 0;
			// It had not ended before, or only shortly before.
			const ended = versions.find(
				({ from, shown: then }) =>
					from < since && then && (then.completedAt !== null || FAILED.includes(then.status)),
			);
			if (ended !== undefined && poll.from > ended.from + lookback - slack - ahead) return false;
			if (since <= atFirst) return false;
		}
		// Another filter may have excluded it.
		const filters = JSON.stringify(poll.parameters.filters);
		return this.polls.every(
			({ parameters }, at) => at > index || JSON.stringify(parameters.filters) === filters,
		);
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
