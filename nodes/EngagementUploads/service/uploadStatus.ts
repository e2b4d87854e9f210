/**
 * What the statuses of uploads mean. They are not listed anywhere (docs/service.md#uploads), so their words decide, here and
 * for every operation, event and example.
 */
import type { IDataObject } from 'n8n-workflow';
import { parsePlausibleTime } from '../values/dates';
import { isAbsent, toText } from '../values/text';

const FAILED =
	/^(FAIL|ERROR|ABORT|CANCEL|REJECT|DENIED|DECLINED|EXPIRED|TIMED|TERMINATED|STOPPED|UNABLE)/;
/** Before a word of failure, these say that there was none, or that the upload went on. */
const EXCEPTIONS = ['NO', 'NOT', 'WITH', 'WITHOUT'];
const COMPLETED = /^(COMPLETE|SUCCE|DONE|FINISH)/;
const IN_PROGRESS = /ING$|^(PENDING|QUEUED|NEW|CREATED|STARTED)$/;

/** The words of a status: “CompletedWithErrors” has as many as “COMPLETED_WITH_ERRORS”. */
function toWords(status: string): string[] {
	return status.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toUpperCase());
}

/** Whether an upload with this status has failed. */
export function isFailedStatus(status: string): boolean {
	const words = toWords(status);
	return (
		!words.includes('RETRYING') &&
		words.some((word, index) => {
			return FAILED.test(word) && !EXCEPTIONS.includes(words[index - 1] ?? '');
		})
	);
}

/** Whether a status says that the upload has completed, perhaps with errors. */
export function saysCompleted(status: string): boolean {
	return !isFailedStatus(status) && toWords(status).some((word) => COMPLETED.test(word));
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
	return toWords(status).some((word) => IN_PROGRESS.test(word)) ? undefined : status;
}

/** How an upload ended, if it has. */
export type UploadOutcome = 'completed' | 'failed' | 'unfinished';

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
