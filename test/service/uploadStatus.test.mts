import { readOutcome, unclearStatus } from '../../nodes/EngagementUploads/service/uploadStatus.ts';

/** What each status means, in any spelling. */
const STATUSES = {
	failed: `
		FAILED, failed, FAIL, FAILURE, ERROR, ERRORS, ABORTED, ABORT, Cancelled, CANCELED, CANCEL, CANCELLATION,
		REJECTED, REJECT, ConnectionDenied, DECLINED, EXPIRED, TIMED_OUT, timedOut, Timeout, TIME-OUT,
		TERMINATED, STOPPED, UNABLE_TO_COMPLETE, HTTPError, ERROR2, NO_DATA_ERROR, NOT_FOUND_ERROR,
		PARTIALLY_FAILED, RETRY_FAILED, FAILED_AFTER_RETRY, FAILED_NOT_RETRYING, FAILED_TO_COMPLETE,
		COMPLETION_FAILED, errorNotCompleted, COMPLETED_FAILED, FAILED_WITH_ERRORS,
		NOT_FAILED_BUT_REJECTED, MOVED_TO_ERROR, SET_TO_FAILED, Error: 0x80
	`,
	completed: `
		COMPLETED, Complete, DONE, FINISHED, SUCCESS, SUCCEEDED, SUCCESSFUL, upload done,
		COMPLETED_WITH_ERRORS, Completed with errors, completedWithErrors, COMPLETED_WITH_2_ERRORS,
		COMPLETED_WITHOUT_ERRORS, COMPLETED_WITHOUT_ANY_ERRORS, COMPLETED_NO_ERRORS,
		COMPLETED_ERROR_FREE, Completed - not rejected, COMPLETED_AFTER_RETRY, PARTIALLY_COMPLETED,
		PROCESSING_COMPLETE, 100% complete
	`,
	unfinished: `
		LOADING, PROCESSING, IN_PROGRESS, COMPLETING, SUCCESSFULLY_STARTED, CANCELLING, NOT_COMPLETED,
		NOT_YET_COMPLETED, NEVER_COMPLETED, COULD_NOT_BE_COMPLETED, TO_BE_COMPLETED, READY_TO_COMPLETE,
		CANNOT_COMPLETE, INCOMPLETE, NOT_FAILED, notFailed, NOT_REJECTED, ERROR_FREE, errorFree,
		NO_ERRORS, WITHOUT_ERRORS, LOADED_WITH_ERRORS, RETRYING, FAILED_RETRYING,
		RETRYING_AFTER_ERROR, Failed - retrying, ABOUT_TO_FAIL, 4, NO_DATA
	`,
};

it('a status that says neither is unclear, unless a date or nothing decides', () => {
	const unclear = (statuses: string) =>
		statuses
			.split(',')
			.map((status) => status.trim())
			.filter((uploadStatus) => unclearStatus({ uploadStatus }, 'UTC') !== undefined);
	expect(unclear(STATUSES.failed + STATUSES.completed)).toEqual([]);
	const inProgress =
		'LOADING, In progress, PENDING, queued, STARTED, SUBMITTED, created, NEW, waitingForUser';
	expect(unclear(inProgress)).toEqual([]);
	expect(unclear('4, NO_DATA, ON_HOLD, Newer, INPROGRESS')).toHaveLength(5);
	expect(unclearStatus({ status: '4' }, 'UTC')).toBe('4');
	const dated = { uploadStatus: '4', completionDate: '2026-03-01T10:15:30' };
	for (const clear of [dated, {}, { status: null }, { status: ' ' }])
		expect(unclearStatus(clear, 'UTC')).toBeUndefined();
});

describe.each(Object.entries(STATUSES))('%s:', (outcome, statuses) => {
	it.each(statuses.split(',').map((status) => status.trim()))('%s', (uploadStatus) => {
		expect(readOutcome({ uploadStatus }, 'UTC')).toBe(outcome);
	});
});

it.each([
	['ARCHIVED', 'completed'],
	[undefined, 'completed'],
	['Session Expired', 'failed'],
])('with a completion date, the status %j means: %s', (uploadStatus, outcome) => {
	expect(readOutcome({ uploadStatus, completionDate: '2026-03-01T10:15:30' }, 'UTC')).toBe(outcome);
});

it('takes an upload without a status for unfinished', () => {
	expect(readOutcome({}, 'UTC')).toBe('unfinished');
});
