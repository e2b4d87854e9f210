/** Uploads as the trigger sees them: an ID, the relevant date, and the record as sent. */
import type { IDataObject } from 'n8n-workflow';
import { isCompletedStatus, isFailedStatus } from '../service/uploadStatus';
import { parsePlausibleTime, parseTime } from '../values/dates';
import { isAbsent, toText } from '../values/text';

/** The date by which an event finds its uploads. */
export type DateField = 'completionDate' | 'creationDate';

export interface SeenUpload {
	/** In lower case: services differ in how they spell IDs from time to time. */
	id: string;
	/** Its date in epoch milliseconds. */
	time: number;
	/** The service sent the date without an offset, so it was read in the credential's zone. */
	isLocal: boolean;
	status: string;
	/** When it completed; undefined if it has not, or has a placeholder for a date. */
	completedAt?: number;
	engagementId?: string;
	record: IDataObject;
}

const OFFSET = /(Z|[+-]\d{2}(:?\d{2})?)$/i;
/** An unreadable date counts as one in the far future: the upload is emitted once, and kept. */
const UNREADABLE = Number.MAX_SAFE_INTEGER;
/** What some services print for a date until there is one: the year 9999 or 1970, zeros, a word. */
const PLACEHOLDER = /^[\D0]*$|\b(0000|0001|1970|9999)\b/;

/** Reads a record; undefined if it lacks the date. Local times are in `zone`. */
export function seenUpload(
	record: IDataObject,
	field: DateField,
	zone: string,
): SeenUpload | undefined {
	const value = record[field];
	if (isAbsent(value)) return undefined;
	const status = toText(record.uploadStatus ?? '').trim();
	const completedAt = parsePlausibleTime(record.completionDate, zone);
	const time = parseTime(value, zone);
	const hasNoDate = completedAt === undefined && !isCompletedStatus(status);
	// A date in a form that nobody foresaw counts, so that its upload comes out.
	const isPlaceholder = time !== undefined || PLACEHOLDER.test(toText(value));
	if (field === 'completionDate' && hasNoDate && isPlaceholder) return undefined;
	return {
		id: readId(record),
		time: time ?? UNREADABLE,
		isLocal: time !== undefined && isLocal(value),
		status,
		completedAt,
		engagementId: toText(record.engagementId ?? '') || undefined,
		record,
	};
}

/** The ID of a record; one that has none is identified by its engagement and creation. */
export function readId({ uploadId, engagementId, creationDate }: IDataObject): string {
	return toText(uploadId ?? `${toText(engagementId)} ${toText(creationDate)}`).toLowerCase();
}

/** Whether an upload has come to an end, good or bad, by its completion date or by its status. */
export function hasEnded({ completedAt, status }: SeenUpload): boolean {
	const saysCompleted = status !== '' && isCompletedStatus(status);
	return completedAt !== undefined || saysCompleted || isFailedStatus(status);
}

/** Oldest first; IDs keep the order of equal dates the same from poll to poll. */
export function byTime(a: SeenUpload, b: SeenUpload): number {
	return a.time - b.time || (a.id < b.id ? -1 : 1);
}

export function isReadable(time: number): boolean {
	return time < UNREADABLE;
}

function isLocal(value: unknown): boolean {
	const text = toText(value).trim();
	return !/^\d+$/.test(text) && !(text.includes(':') && OFFSET.test(text));
}
