/** Upload statuses; the list of known ones may be incomplete (docs/service.md#uploads). */

/** Words that mark a status as failed, and words that override them, as in COMPLETED_WITH_ERROR. */
const FAILED =
	/\b(fail(ed|ure)?|abort(ed)?|cancell?ed|reject(ed)?|errors?|errored|expired|time ?(d ?)?out|terminated|declined)\b/i;
const NOT_FAILED = /\b(no|not|without|completed)\b/i;

/** Whether an upload with this status has failed. */
export function isFailedStatus(status: string): boolean {
	const words = status.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[\W_]+/g, ' ');
	return FAILED.test(words) && !NOT_FAILED.test(words);
}
