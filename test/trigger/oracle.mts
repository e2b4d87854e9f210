/**
 * What the contract promises of a history, worked out from what the service listed when, without
 * regard to how the trigger goes about it. Where more than one outcome is right, all pass.
 */
import { printDate } from '../support/service/dates.mts';
import { mayTurnDown, type Filters } from './history.mts';
import type { Happening, Played, PollLog } from './player.mts';
import { timeOf } from './printed.mts';

const SECOND = 1000;
const HOUR = 3_600_000;
const DURABLE_BUDGET = 36 * SECOND;
const IN_MEMORY_BUDGET = 300 * SECOND;
const LEAST_STATE = 1000;
const STATE_PER_UPLOAD = 200;

/** All that is wrong with how a history went; empty where all is right. */
export function judge(played: Played): string[] {
	return new Judge(played).complaints();
}

type Emission = { poll: number; printed: number };

class Judge {
	private readonly polls: PollLog[];
	/** The poll that took in what was there, for a start from now; else -1. */
	private readonly firstLook: number;
	private readonly emissions = new Map<string, Emission[]>();

	constructor(private readonly played: Played) {
		this.polls = played.happened.flatMap((event) => (event.what === 'poll' ? [event.poll] : []));
		const isNow = played.history.start.startFrom === 'now';
		this.firstLook = isNow ? this.polls.findIndex(({ emitted }) => emitted !== undefined) : -1;
		for (const [poll, { emitted = [] }] of this.polls.entries()) {
			for (const { id, printed } of emitted) {
				const known = this.emissions.get(id) ?? [];
				this.emissions.set(id, [...known, { poll, printed: timeOf(printed) }]);
			}
		}
	}

	complaints(): string[] {
		const { ids, cameToRest } = this.played;
		return [
			...(cameToRest ? [] : ['it never comes to rest']),
			...this.polls.flatMap((poll, index) =>
				this.ofPoll(poll).map((text) => `poll ${index}: ${text}`),
			),
			...ids.flatMap((id, upload) =>
				this.ofUpload(id, upload).map((text) => `upload ${upload}: ${text}`),
			),
		];
	}

	private ofPoll(poll: PollLog): string[] {
		const { emitted = [], isAlone, stateBefore, stateAfter } = poll;
		const complaints: string[] = [];
		if (poll.emitted === undefined && isAlone && stateBefore !== stateAfter)
			complaints.push('it failed, and changed the state');
		const times = emitted.map(({ printed }) => timeOf(printed));
		if (times.some((time, index) => time < (times[index - 1] ?? -Infinity)))
			complaints.push('not the oldest first');
		for (const { id } of emitted) {
			if (!this.matches(poll, id))
				complaints.push(`${id} is not listed, or the filter excludes it`);
		}
		if (this.isThorough(poll)) complaints.push(...this.ofState(poll));
		return complaints;
	}

	/** Durable polling keeps nothing of an activation poll: the state is then that of the poll before. */
	private ofState({ before, after, stateAfter, isActivation }: PollLog): string[] {
		const { history, ids } = this.played;
		if (history.durable && isActivation) return [];
		const { settings, lookback, behind, uploads } = history;
		// Without the service's own time, a clock that is far behind takes all times for mistakes.
		if (settings.dateHeader === false && behind > 10 * HOUR) return [];
		const isCredible = (id: string) => {
			const planned = uploads[ids.indexOf(id)];
			return planned !== undefined && planned.completedAt <= planned.listedAt;
		};
		const newest = [...before]
			.filter(([id]) => isCredible(id))
			.reduce((latest, [, { printed }]) => Math.max(latest, timeOf(printed)), -Infinity);
		const [node] = JSON.parse(stateAfter) as [object, object];
		const count = [...after.values()].filter(
			({ printed }) => timeOf(printed) >= newest - lookback - HOUR,
		).length;
		const size = JSON.stringify(node).length;
		if (size < Math.max(LEAST_STATE, count * STATE_PER_UPLOAD)) return [];
		return [`the state takes ${size} bytes for ${count} uploads`];
	}

	private ofUpload(id: string, upload: number): string[] {
		const emissions = this.emissions.get(id) ?? [];
		const complaints: string[] = [];
		const firstLook = this.polls[this.firstLook];
		let last = firstLook?.before.get(id)?.printed;
		for (const { poll, printed } of emissions) {
			if (last !== undefined && !this.isForgotten(id, timeOf(last), poll)) {
				const why = firstLook?.before.has(id) ? 'was listed at the first look' : 'came before';
				complaints.push(`emitted in poll ${poll}, but it ${why}`);
			}
			if (this.eligible(printed) === 'no') complaints.push('completed before the start date');
			if (this.wasPassedOver(id, poll)) complaints.push(`replayed in poll ${poll}`);
			last = printed;
		}
		const due = this.dueBy(id, upload);
		if (due !== undefined && !emissions.some(({ poll }) => poll <= due)) {
			const when = emissions[0] === undefined ? 'never emitted' : `not before ${emissions[0].poll}`;
			complaints.push(`due by poll ${due}, but ${when}`);
		}
		return complaints;
	}

	/** Only a date that moved while the old one was out of the look-back makes another upload of it. */
	private isForgotten(id: string, last: number, poll: number): boolean {
		const { happened, history } = this.played;
		const { settings, lookback } = history;
		const { dateForm = 'plain', printZone = 'UTC' } = settings;
		const now = timeOf(printDate(this.polls[poll]?.to ?? 0, dateForm, printZone));
		return moveOf(happened, id) !== undefined && now - last > lookback;
	}

	/** The poll by which it must have been emitted; undefined where it need not be. */
	private dueBy(id: string, upload: number): number | undefined {
		if (this.polls[this.firstLook]?.after.has(id) || !this.isOnTime(id, upload)) return undefined;
		const polls = [...this.polls.entries()].filter(
			([index, { emitted }]) => index > this.firstLook && emitted !== undefined,
		);
		for (const [index, poll] of polls) {
			const { before, after } = poll;
			if (!after.has(id)) continue;
			if (!this.matches(poll, id)) {
				if (!this.mayMatchLater(id, upload, index)) return undefined;
			} else if (before.has(id) && this.isThorough(poll)) {
				return this.eligible(timeOf(before.get(id)?.printed)) === 'yes' ? index : undefined;
			}
		}
		return undefined;
	}

	/** Listed, and its date moved, within the look-back; or there before anything was read. */
	private isOnTime(id: string, upload: number): boolean {
		const { history, listedAt, happened } = this.played;
		const { completedAt = 0 } = history.uploads[upload] ?? {};
		const listed = listedAt.get(upload);
		if (listed === undefined) return false;
		const move = moveOf(happened, id);
		if (move !== undefined) {
			const isDated = history.start.startFrom === 'date';
			if (isDated || move.at - move.to > history.lookback) return false;
		}
		const first = this.polls.find(({ emitted }) => emitted !== undefined);
		const wasThere = this.firstLook < 0 && listed <= (first?.from ?? -Infinity);
		return wasThere || listed - completedAt <= history.lookback;
	}

	/** What the filter turned down is taken up again when its status changes within the look-back. */
	private mayMatchLater(id: string, upload: number, poll: number): boolean {
		const { history } = this.played;
		const filters = this.polls[poll]?.filters;
		const { completedAt = 0 } = history.uploads[upload] ?? {};
		const next = this.polls.findIndex((later, index) => index > poll && this.matches(later, id));
		const changed = this.polls[next];
		if (changed === undefined || moveOf(this.played.happened, id) !== undefined) return false;
		const between = this.polls.slice(poll, next + 1);
		return (
			between.every((later) => isSame(later.filters, filters)) &&
			changed.from - completedAt <= history.lookback
		);
	}

	/** Whether another filter had turned it down, and n8n has kept that. */
	private wasPassedOver(id: string, emittedIn: number): boolean {
		const filters = this.polls[emittedIn]?.filters;
		if (moveOf(this.played.happened, id) !== undefined) return false;
		return this.polls.some(
			(poll, index) =>
				index < emittedIn &&
				index > this.firstLook &&
				this.isThorough(poll) &&
				poll.before.has(id) &&
				!this.matches(poll, id) &&
				!isSame(poll.filters, filters) &&
				this.isKept(poll),
		);
	}

	/** Whether what a poll noted outlived the next restart. */
	private isKept(poll: PollLog): boolean {
		const { happened, history } = this.played;
		if (history.durable) return !poll.isActivation;
		const at = happened.findIndex((event) => event.what === 'poll' && event.poll === poll);
		for (const event of happened.slice(at)) {
			if (event.what === 'restart' || event.what === 'reactivate') return false;
			if (event.what !== 'poll' || event.poll.emitted === undefined) continue;
			if (event.poll.isActivation || event.poll.emitted.length > 0) return true;
		}
		return true;
	}

	/** Whether all that was listed was dealt with: there was room and time, or nothing was left. */
	private isThorough(poll: PollLog): boolean {
		const { maxUploads, uploads, durable } = this.played.history;
		if (poll.emitted === undefined || !poll.isAlone) return false;
		// What joins the list while it is read may be put off, with what it pushes from page to page.
		if (poll.before.size !== poll.after.size) return false;
		const budget = durable && !poll.isActivation ? DURABLE_BUDGET : IN_MEMORY_BUDGET;
		const isRoomy = uploads.length < maxUploads && poll.to - poll.from < budget / 2;
		if (isRoomy) return true;
		// What it took in of a back-log may all have been turned down; then its state tells.
		const isAtRest = !mayTurnDown(this.played.history) || poll.stateBefore === poll.stateAfter;
		return poll.emitted.length === 0 && isAtRest && !poll.isActivation;
	}

	private matches({ after, filters }: PollLog, id: string): boolean {
		const listed = after.get(id);
		if (listed === undefined) return false;
		return (
			isAmong(listed.status, filters.uploadStatuses) &&
			isAmong(listed.connectorName, filters.connectorNames)
		);
	}

	/** Whether a printed time lies after the start date, which may hang on the credential's zone. */
	private eligible(printed: number): 'yes' | 'no' | 'maybe' {
		const { start, settings, zone } = this.played.history;
		if (start.startFrom !== 'date') return 'yes';
		const begin = Date.parse(start.startDate);
		const isLocal = (settings.dateForm ?? 'plain') === 'plain';
		const boundary = isLocal ? timeOf(printDate(begin, 'plain', zone)) : begin;
		if (isLocal && Math.abs(printed - boundary) <= 2 * HOUR) return 'maybe';
		return printed >= begin - (isLocal ? begin - boundary : 0) ? 'yes' : 'no';
	}
}

function moveOf(happened: Happening[], id: string) {
	return happened.find(
		(event): event is Extract<Happening, { what: 'move' }> =>
			event.what === 'move' && event.id === id,
	);
}

function isSame(a: Filters | undefined, b: Filters | undefined): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

function isAmong(value: string, list: string | undefined): boolean {
	return list === undefined || list.toUpperCase().split(', ').includes(value.toUpperCase());
}
