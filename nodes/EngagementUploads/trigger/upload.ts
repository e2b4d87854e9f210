/** An upload as the trigger sees it: its ID, the relevant date, its status, and the record as sent. */
import type { IDataObject } from 'n8n-workflow';
import { readOutcome } from '../service/uploadStatus';
import { parsePlausibleTime, parseTime } from '../values/dates';
import { isAbsent, toText } from '../values/text';

/** The date by which an event finds its uploads. */
export type DateField = 'completionDate' | 'creationDate';

export interface SeenUpload {
	/** In lower case, since a service may change its spelling. */
	id: string;
	/** Its date in epoch milliseconds. */
	time: number;
	status: string;
	/** Whether it has completed or failed. */
	hasEnded(): boolean;
	record: IDataObject;
}

/** Stands for a date that is missing or unreadable, as one in the far future, so that the upload is emitted once. */
const UNREADABLE = Number.MAX_SAFE_INTEGER;
/** What has no digit but zeros is no date. */
const HAS_DATE = /[1-9]/;
/** Reads a record; undefined if `field` is the completion date and there is none yet. Times without an offset are in `zone`. */
export function readUpload(
	record: IDataObject,
	field: DateField,
	zone: string,
): SeenUpload | undefined {
	const value = record[field];
	const completedAt = parsePlausibleTime(record.completionDate, zone);
	// A date in an unknown format still counts as one, so that the upload is emitted.
	const isNone =
		parseTime(value, zone) !== undefined || isAbsent(value) || !HAS_DATE.test(toText(value));
	if (field === 'completionDate' && completedAt === undefined && isNone) return undefined;
	return {
		id: toText(record.uploadId).toLowerCase(),
		time: parsePlausibleTime(value, zone) ?? UNREADABLE,
		status: toText(record.uploadStatus ?? record.status ?? '').trim(),
		hasEnded: () => readOutcome(record, zone) !== 'unfinished',
		record,
	};
}

/** Compares by date, oldest first, and then by ID, so that the order is the same in each poll. */
export function byTime(a: SeenUpload, b: SeenUpload): number {
	return a.time - b.time || (a.id < b.id ? -1 : 1);
}

/** Whether a date could be read. */
export function isReadable(time: number): boolean {
	return time < UNREADABLE;
}
