/** What the events mean, as docs/how-the-trigger-works.md says, and how the oracle reads dates. */
import { printDate } from '../../support/service/dates.mts';
import type { History, Start } from './history.mts';
import type { Shown } from './world.mts';

const HOUR = 3_600_000;
/** The default. */
const STUCK_AFTER = 6 * HOUR;
const FAILED = ['FAILED', 'ABORTED'];

/** What has occurred to an upload at a time of the service's clock, if anything. */
export function occurrence({ event }: History, shown: Shown, at: number): string | undefined {
	const { status, createdAt, completedAt } = shown;
	const hasFailed = FAILED.includes(status);
	const hasEnded = hasFailed || completedAt !== null || status === 'COMPLETED';
	const rules: Record<string, string | false> = {
		uploadCompleted: completedAt !== null && !hasFailed && 'completed',
		uploadFailed: hasFailed && 'failed',
		uploadStarted: 'started',
		uploadStatusChanged: status,
		uploadStuck: !hasEnded && at >= createdAt + STUCK_AFTER && 'stuck',
	};
	return rules[event] || undefined;
}

/** Whether the filters let an upload pass. */
export function matches({ filters }: History, { status, connectorName }: Shown): boolean {
	const isAmong = (value: string, list: string | undefined) =>
		list === undefined || list.toUpperCase().split(', ').includes(value.toUpperCase());
	return isAmong(status, filters.uploadStatuses) && isAmong(connectorName, filters.connectorNames);
}

/** The date by which an event finds its uploads. */
export function dateOf({ event }: History): 'completionDate' | 'creationDate' {
	return event === 'uploadCompleted' ? 'completionDate' : 'creationDate';
}

/** How long after that date an upload is looked at, besides the look-back and a day. */
export function spanOf({ event, followFor }: History): number {
	if (event === 'uploadStuck') return STUCK_AFTER;
	return event === 'uploadFailed' || event === 'uploadStatusChanged' ? followFor : 0;
}

/** Whether a date is after the start date, as far as changes to and from summer time allow to tell. */
export function compareToStart(
	start: Start,
	sent: unknown,
	zone: string,
): 'before' | 'after' | 'unknown' {
	if (start.startFrom !== 'date') return 'after';
	const begin = Date.parse(start.startDate);
	if (hasOffset(sent)) return readTime(sent) >= begin ? 'after' : 'before';
	const distance = readTime(sent) - readTime(printDate(begin, zone));
	if (Math.abs(distance) <= 2 * HOUR) return 'unknown';
	return distance > 0 ? 'after' : 'before';
}

/** Whether a date is an instant, whatever the zone. */
function hasOffset(sent: unknown): boolean {
	return String(sent).endsWith('Z');
}

/** A date as a number: an instant, or a local time taken literally. */
export function readTime(sent: unknown): number {
	return Date.parse(hasOffset(sent) ? String(sent) : `${String(sent)}Z`);
}
