/**
 * Decides which uploads are new since a refresh was sent. Pure functions. Invariant: the upload
 * that was the engagement's last one before the refresh was sent is never new.
 */
import type { Upload } from '../../api/records';
import { parseTime } from '../../values/dates';
import { toText } from '../../values/text';
import { toLocalTime } from '../../values/zones';

/** The situation right before a refresh was sent. */
export interface Baseline {
	/** The engagement's last upload. */
	before: Upload | undefined;
	/** The service's time, in epoch milliseconds. */
	sentAt: number;
}

/** How far the clocks within the service may differ. */
const TOLERANCE = 2_000;

/**
 * Whether an upload that was not seen before is new, rather than an older one that was listed late:
 * it was created after the last one, or, if clocks were set back since, after the refresh was sent.
 */
export function isNewUpload(baseline: Baseline, record: Upload, zone: string): boolean {
	const { before } = baseline;
	if (before === undefined) return true;
	if (idOf(before) === idOf(record)) return false;
	const [created, createdBefore] = [creationTimeOf(record), creationTimeOf(before)];
	if (created === undefined || createdBefore === undefined || created >= createdBefore) return true;
	return created >= refreshTimeOf(baseline, record, zone) - TOLERANCE;
}

/**
 * Whether the last upload is dated after the refresh because clocks were set back: new uploads are
 * then listed after it.
 */
export function mayHideNewUploads(baseline: Baseline, zone: string): boolean {
	const { before } = baseline;
	const created = before && creationTimeOf(before);
	return created !== undefined && created > refreshTimeOf(baseline, before, zone) + TOLERANCE;
}

/** Sorted by creation; within one second, in the order of the list. */
export function oldestFirst(records: Upload[]): Upload[] {
	return [...records].sort(
		(one, other) => (creationTimeOf(one) ?? 0) - (creationTimeOf(other) ?? 0),
	);
}

export function idOf({ uploadId }: Upload): string {
	return toText(uploadId);
}

/** The creation time as sent: without an offset, the local time as if it were UTC. */
function creationTimeOf({ creationDate }: Upload): number | undefined {
	return parseTime(creationDate, 'UTC');
}

/** The time at which the refresh was sent, in the form of the times in records. */
function refreshTimeOf({ sentAt }: Baseline, record: Upload | undefined, zone: string): number {
	const isLocal =
		parseTime(record?.creationDate, 'Etc/GMT-1') !== (record && creationTimeOf(record));
	return isLocal ? toLocalTime(sentAt, zone) : sentAt;
}
