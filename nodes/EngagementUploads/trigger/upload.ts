/** Uploads as the trigger sees them: an id, a completion time, and the record as sent. */
import type { IDataObject } from 'n8n-workflow';
import { parseTime } from '../values/dates';
import { isAbsent, toText } from '../values/text';

/** A completed upload. */
export interface CompletedUpload {
	id: string;
	/**
	 * Completion as printed, in milliseconds: an instant where the service prints offsets, else the
	 * printed time taken by its word, so that no zone need be known to put uploads in order.
	 */
	time: number;
	/** Whether the service printed an instant rather than a local time. */
	isInstant: boolean;
	record: IDataObject;
}

const OFFSET = /(Z|[+-]\d{2}(:?\d{2})?)$/i;
/** What has no readable time is taken for dated in the far future, and so emitted once and kept. */
const UNREADABLE = Number.MAX_SAFE_INTEGER;

/** An upload is completed when it has a `completionDate`; undefined for any other. */
export function completedUpload(record: IDataObject): CompletedUpload | undefined {
	const { uploadId, completionDate } = record;
	if (isAbsent(completionDate)) return undefined;
	const id = toText(uploadId ?? `${toText(record.engagementId)} ${toText(record.creationDate)}`);
	const time = parseTime(completionDate, 'UTC') ?? UNREADABLE;
	return { id, time: Math.min(time, UNREADABLE), isInstant: isInstant(completionDate), record };
}

function isInstant(printed: unknown): boolean {
	if (typeof printed === 'number') return true;
	const text = toText(printed).trim();
	return /^\d+$/.test(text) || (text.includes(':') && OFFSET.test(text));
}
