/** What the statuses of uploads mean; there may be others than the known ones (docs/service.md#uploads). */
import { parsePlausibleTime } from '../values/dates';
import { toText } from '../values/text';
import type { Upload } from './records';

/** Words that mark a status as failed, unless they are negated, as in WITHOUT_ERRORS. */
const FAILED =
	/(?<!\b(?:no|not|without) )\b(fail(ed|ure)?|abort(ed)?|cancell?ed|reject(ed)?|denied|errors?|errored|expired|time ?(d ?)?out|terminated|stopped|declined|unsuccessful)\b/i;
/** Words that mark a status as not failed, whatever else it says, as in COMPLETED_WITH_ERROR. */
const NOT_FAILED = /\b(completed|retry(ing)?|error free)\b/i;

/** Words that mark a status as completed, unless they are negated, as in NOT_COMPLETED. */
const COMPLETED =
	/(?<!\b(?:no|not|not yet|to be) )\b(completed?|done|finished|success(ful)?|succeeded)\b/i;

/** Whether an upload with this status has failed. */
export function isFailedStatus(status: string): boolean {
	const words = splitWords(status);
	return FAILED.test(words) && !NOT_FAILED.test(words);
}

/** Whether an upload with this status may have completed; one without a status may. */
export function isCompletedStatus(status: string): boolean {
	return status.trim() === '' || saysCompleted(status);
}

/** Whether a status says that the upload has completed, and not that it has failed. */
function saysCompleted(status: string): boolean {
	return COMPLETED.test(splitWords(status)) && !isFailedStatus(status);
}

function splitWords(status: string): string {
	return status.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[\W_]+/g, ' ');
}

/** The status of an upload, which the list of last uploads calls `status`. */
export function readStatus({ uploadStatus, status }: Upload): string {
	return toText(uploadStatus ?? status ?? 'unknown');
}

/** Whether an upload has completed: it has a completion date, or its status says so. */
export function hasCompleted(upload: Upload, zone: string): boolean {
	const status = readStatus(upload);
	if (isFailedStatus(status)) return false;
	return parsePlausibleTime(upload.completionDate, zone) !== undefined || saysCompleted(status);
}

/** When an upload completed, if it has; when it was created, if the service does not say when. */
export function completionTime(upload: Upload, zone: string): number | undefined {
	if (!hasCompleted(upload, zone)) return undefined;
	const { completionDate, creationDate } = upload;
	return parsePlausibleTime(completionDate, zone) ?? parsePlausibleTime(creationDate, zone);
}
