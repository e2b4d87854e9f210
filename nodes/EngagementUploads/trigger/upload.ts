/** Uploads as the trigger sees them: an ID, the relevant date, and the record as sent. */
import type { IDataObject } from 'n8n-workflow';
import { parseTime } from '../values/dates';
import { isAbsent, toText } from '../values/text';

/** The date by which an event finds its uploads. */
export type DateField = 'completionDate' | 'creationDate';

export interface SeenUpload {
	id: string;
	/**
	 * Its date in milliseconds: a local time as sent, so that no zone is needed to sort uploads,
	 * or an instant once the service has sent one.
	 */
	time: number;
	/** Whether the service sent an instant rather than a local time; undefined if unreadable. */
	isInstant?: boolean;
	record: IDataObject;
}

const OFFSET = /(Z|[+-]\d{2}(:?\d{2})?)$/i;
/**
 * An unreadable date counts as one in the far future, so that the upload is emitted once and kept.
 */
const UNREADABLE = Number.MAX_SAFE_INTEGER;

/** Reads a record; undefined if it lacks the date. Local times are in `zone`. */
export function seenUpload(
	record: IDataObject,
	field: DateField,
	zone: string,
): SeenUpload | undefined {
	const value = record[field];
	if (isAbsent(value)) return undefined;
	const id = toText(
		record.uploadId ?? `${toText(record.engagementId)} ${toText(record.creationDate)}`,
	);
	const time = parseTime(value, zone);
	if (time === undefined) return { id, time: UNREADABLE, record };
	return { id, time, isInstant: isInstant(value), record };
}

/** Oldest first; IDs keep the order of equal dates the same from poll to poll. */
export function byTime(a: SeenUpload, b: SeenUpload): number {
	return a.time - b.time || (a.id < b.id ? -1 : 1);
}

export function isReadable(time: number): boolean {
	return time < UNREADABLE;
}

function isInstant(value: unknown): boolean {
	if (typeof value === 'number') return true;
	const text = toText(value).trim();
	return /^\d+$/.test(text) || (text.includes(':') && OFFSET.test(text));
}

export function statusOf({ record }: SeenUpload): string {
	return toText(record.uploadStatus ?? '').trim();
}
