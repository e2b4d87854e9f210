/**
 * What the statuses of uploads mean. They are not listed anywhere (docs/service.md#uploads), so their words
 * decide: an upload has failed if one of them means failure, and completed if one means that and none failure.
 */
import { parsePlausibleTime } from '../values/dates';
import { toText } from '../values/text';
import type { Upload } from './records';

const FAILURE =
	/\b(fail(ed|s|ures?)?|err|errors?|errored|exceptions?|fault(ed)?|fatal|abort(ed)?|cancel(l?ed)?|reject(ed)?|refused|denied|declined|expired|time ?(d ?)?outs?|terminated|stopped|killed|crashed|interrupted|abandoned|unsuccessful(ly)?|unable|invalid)\b/;
const WORK_DONE = 'extracted|imported|loaded|processed|refreshed|synced|uploaded';
const COMPLETION = new RegExp(
	`\\b(completed?|done|finished|success(ful)?|succeed(ed)?|successfully (${WORK_DONE})|(${WORK_DONE}) successfully)\\b`,
);
/** Only near completion, or one part is complete while another goes on, as in UPLOAD_COMPLETE_PROCESSING. */
const GOES_ON =
	/\b(nearly|almost|(complete|successfully) (awaiting|importing|loading|pending|processing|running|waiting))\b/;
const RETRYING = /\b(retrying|being retried|retry in progress)\b/;

/** An error after WITH is a detail, as in COMPLETED_WITH_VALIDATION_ERRORS. */
const DETAILS = /with\b.*/;
/** In `Errors: 0` or `Error: none`, the value says that there is none. */
const VALUE_NONE = /[:=]\s*(0|no|none|null)\s*(?=[\]),;]|\w+[:=]|$)/gi;
/** `50% complete` is not complete, and `100% complete` is. */
const ALL = /\b100([.,]0+)?\s?%/g;
const PERCENTAGE = /\d+([.,]\d+)?\s?%/g;
/** Words written as one, as in UPLOADFAILED or COMPLETEDNOERRORS, with what negates the last one. */
const JOINED =
	/(?<=[a-z])(without|with|not|no)?((?:fail(?:ed|ure)|errors?|aborted|cancell?ed|rejected|expired|timed?out)\b)/g;
/** WITH after a completion, as in COMPLETEDWITHWARNINGS. */
const JOINED_DETAILS = /(?<=(completed?|done|finished|success))with(out)?(?=[a-z])/g;
/**
 * A word that is negated, only announced, or no longer true counts for nothing. Lists of errors come first,
 * since the other negations take one word only.
 */
const NOT_SAID = [
	/\b(no|0|zero|without|free (of|from))( any)?( [a-z]+ (and|or))?( [a-z]+)? (errors|failures|exceptions)\b/g,
	/without( any)?( [a-z]+)? (error|failure|exception)\b/g,
	/\b(errors?|failed|failures?|exceptions?) (free|none)\b/g,
	/\bfree (of|from) [a-z]+/g,
	/\b(no|non|un|not|cannot|never|without|0|zero)( (yet|in|be|been|being|fully|successfully|longer|any|more|a|an|\d+))* [a-z]+/g,
	// Any other word after TO is a state, as in MOVED_TO_ERROR.
	/\b(?<!due )to (be [a-z]+|abort|cancel|complete|fail|reject|time out)\b/g,
	/\b(?<=(after|stopped) )retrying\b/g,
];

/** Whether an upload with this status has failed. One that is being retried has not. */
export function isFailedStatus(status: string): boolean {
	const said = whatIsSaid(status);
	return FAILURE.test(said.replace(DETAILS, '')) && !RETRYING.test(said);
}

/** Whether an upload with this status may have completed; one without a status may. */
export function isCompletedStatus(status: string): boolean {
	return status.trim() === '' || saysCompleted(status);
}

/** Whether a status says that the upload has completed, and not that it has failed. */
function saysCompleted(status: string): boolean {
	const said = whatIsSaid(status);
	return COMPLETION.test(said) && !GOES_ON.test(said) && !isFailedStatus(status);
}

/** The words of a status that count, in lower case: `errorNotCompleted` → `error`. */
function whatIsSaid(status: string): string {
	const words = status
		.replace(/n['’]t(?![a-z])/gi, ' not')
		.replace(VALUE_NONE, ' none ')
		.replace(ALL, '')
		.replace(PERCENTAGE, 'nearly $&')
		.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+/gu);
	const text = (words ?? [])
		.join(' ')
		.toLowerCase()
		.replace(JOINED, ' $1 $2')
		.replace(JOINED_DETAILS, ' $& ')
		.replace(/ +/g, ' ');
	return NOT_SAID.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
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

/** How an upload ended, if it has. */
export type Outcome = 'completed' | 'failed' | 'unfinished';

/** How an upload ended: one with a failed status has failed, whatever else it says. */
export function readOutcome(upload: Upload, zone: string): Outcome {
	if (isFailedStatus(readStatus(upload))) return 'failed';
	return hasCompleted(upload, zone) ? 'completed' : 'unfinished';
}

/** When an upload completed, if it has; when it was created, if the service does not say when. */
export function completionTime(upload: Upload, zone: string): number | undefined {
	if (!hasCompleted(upload, zone)) return undefined;
	const { completionDate, creationDate } = upload;
	return parsePlausibleTime(completionDate, zone) ?? parsePlausibleTime(creationDate, zone);
}

/** The upload that was created later, or else completed later; if neither was, the first. */
export function pickNewer(
	first: Upload | undefined,
	second: Upload | undefined,
	zone: string,
): Upload | undefined {
	if (first === undefined || second === undefined) return first ?? second;
	for (const date of ['creationDate', 'completionDate']) {
		const [one, other] = [first, second].map(
			(upload) => parsePlausibleTime(upload[date], zone) ?? 0,
		);
		if (one !== other) return (one ?? 0) < (other ?? 0) ? second : first;
	}
	return first;
}
