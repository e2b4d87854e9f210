/** Upload statuses; the list of known ones may be incomplete (docs/service.md#uploads). */

import { parsePlausibleTime } from '../values/dates';
import { toText } from '../values/text';
import type { Upload } from './records';

/** Words that mark a status as failed, unless they are negated, as in WITHOUT_ERRORS. */
const FAILED =
	/(?<!\b(?:no|not|without) )\b(fail(ed|ure)?|abort(ed)?|cancell?ed|reject(ed)?|denied|errors?|errored|expired|time ?(d ?)?out|terminated|stopped|declined|unsuccessful)\b/i;
/** A status with one of these has not failed, whatever else it says, as in COMPLETED_WITH_ERROR. */
const NOT_FAILED = /\b(completed|retry(ing)?|error free)\b/i;

/** Words that mark a status as completed. */
const COMPLETED = /\b(completed?|done|finished|success(ful)?|succeeded)\b/i;

/** Whether an upload with this status has failed. */
export function isFailedStatus(status: string): boolean {
	const words = wordsOf(status);
	return FAILED.test(words) && !NOT_FAILED.test(words);
}

/** Whether an upload with this status has completed; without a status, it may have. */
export function isCompletedStatus(status: string): boolean {
	const words = wordsOf(status);
	return words.trim() === '' || COMPLETED.test(words);
}

function wordsOf(status: string): string {
	return status.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[\W_]+/g, ' ');
}

/** The status of an upload, which the list of last uploads calls `status`. */
export function statusOf({ uploadStatus, status }: Upload): string {
	return toText(uploadStatus ?? status ?? 'unknown');
}

/** When an upload completed, in epoch milliseconds; undefined if it failed, or has not ended. */
export function completionTime(upload: Upload, zone: string): number | undefined {
	return isFailedStatus(statusOf(upload))
		? undefined
		: parsePlausibleTime(upload.completionDate, zone);
}

export function hasCompleted(upload: Upload, zone: string): boolean {
	return completionTime(upload, zone) !== undefined;
}
