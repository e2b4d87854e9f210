import { DateTime } from 'luxon';
import type { Frequency, Schedule } from './records.mts';

const INTERVALS: Record<
	Exclude<Frequency, '0'>,
	{ unit: 'years' | 'months' | 'days'; count: number }
> = {
	'1': { unit: 'years', count: 1 },
	'2': { unit: 'months', count: 1 },
	'3': { unit: 'days', count: 7 },
	'4': { unit: 'days', count: 1 },
	'5': { unit: 'months', count: 3 },
};

/** Midnight before a time, both in epoch ms. */
export function startOfDay(time: number, zone: string): number {
	return DateTime.fromMillis(time, { zone }).startOf('day').toMillis();
}

/** The first midnight (epoch ms) at or after `from` on which an upload is due. */
export function nextDue({ frequency, startDate }: Schedule, from: number, zone: string): number {
	if (frequency === '0') return Infinity;
	const { unit, count } = INTERVALS[frequency];
	const start = DateTime.fromISO(startDate, { zone });
	const since = DateTime.fromMillis(from, { zone }).diff(start, unit).as(unit);
	const dueAfter = (intervals: number) => start.plus({ [unit]: intervals * count }).toMillis();
	let intervals = Math.max(0, Math.floor(since / count));
	while (dueAfter(intervals) < from) intervals += 1;
	return dueAfter(intervals);
}
