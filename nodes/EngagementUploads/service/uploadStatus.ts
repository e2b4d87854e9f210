/**
 * What the statuses of uploads mean. They are not listed anywhere (docs/service.md#uploads), so their words decide: one
 * that begins with “complete”, “success” or the like has completed, and otherwise one with a word of failure has failed.
 */
import type { IDataObject } from 'n8n-workflow';
import { parsePlausibleTime } from '../values/dates';
import { isAbsent, toText } from '../values/text';

const COMPLETED = /^(complete|success|succeed|done|finish)/i;
const FAILED = /fail|error|abort|cancel|reject|denied|declined|expired|time.?(d.?)?out|terminated/i;
const IN_PROGRESS = /ing\b|ing_|pending|queued|started|submitted|created|new\b|progress/i;

/** Whether a status says that the upload has completed, perhaps with errors. */
export function saysCompleted(status: string): boolean {
	return COMPLETED.test(status);
}

/** Whether an upload with this status has failed. */
export function isFailedStatus(status: string): boolean {
	return FAILED.test(status) && !saysCompleted(status);
}

/** The status of an upload, which the list of last uploads calls `status`. */
export function readStatus({ uploadStatus, status }: IDataObject): string {
	return toText(uploadStatus ?? status ?? 'unknown');
}

/** Whether an upload has completed: it has a completion date, or its status says so. */
export function hasCompleted(upload: IDataObject, zone: string): boolean {
	const status = readStatus(upload);
	if (isFailedStatus(status)) return false;
	return parsePlausibleTime(upload.completionDate, zone) !== undefined || saysCompleted(status);
}

/** The status of an unfinished upload, if it does not say that it is in progress either. */
export function unclearStatus(upload: IDataObject, zone: string): string | undefined {
	const status = readStatus(upload);
	const hasNone = isAbsent(upload.uploadStatus ?? upload.status);
	if (hasNone || readOutcome(upload, zone) !== 'unfinished') return undefined;
	return IN_PROGRESS.test(status) ? undefined : status;
}

/** How an upload ended, if it has. */
type UploadOutcome = 'completed' | 'failed' | 'unfinished';

/** How an upload ended: one with a failed status has failed, whatever else it says. */
export function readOutcome(upload: IDataObject, zone: string): UploadOutcome {
	if (isFailedStatus(readStatus(upload))) return 'failed';
	return hasCompleted(upload, zone) ? 'completed' : 'unfinished';
}

/** When an upload completed, if it has; when it was created, if the service does not say when. */
export function completionTime(upload: IDataObject, zone: string): number | undefined {
	if (!hasCompleted(upload, zone)) return undefined;
	const { completionDate, creationDate } = upload;
	return parsePlausibleTime(completionDate, zone) ?? parsePlausibleTime(creationDate, zone);
}

/** The upload that was created later, or else completed later; if neither was, the first. */
export function pickNewer<T extends IDataObject>(
	first: T | undefined,
	second: T | undefined,
	zone: string,
): T | undefined {
	if (first === undefined || second === undefined) return first ?? second;
	for (const date of ['creationDate', 'completionDate']) {
		const [one, other] = [first, second].map(
			(upload) => parsePlausibleTime(upload[date], zone) ?? 0,
		);
		if (one !== other) return (one ?? 0) < (other ?? 0) ? second : first;
	}
	return first;
}
