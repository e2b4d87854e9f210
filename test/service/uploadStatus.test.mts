import { readOutcome } from '../../nodes/EngagementUploads/service/uploadStatus.ts';

/** What each status means, in any spelling. */
const STATUSES = {
	failed: `
		FAILED, FAILURE, failed, ERROR, ABORTED, aborted, EXPIRED, REJECTED, DECLINED,
		Cancelled, CANCELED, TERMINATED, STOPPED, UNSUCCESSFUL, ConnectionDenied, KILLED,
		TIMED_OUT, timedOut, Timeout, TIME-OUT, timed out, TIMEOUT_ERROR, ERROR2,
		HTTPError, FAILED_NO_DATA, NO_DATA_ERROR, NOT_FOUND_ERROR,
		ROLLED_BACK_DUE_TO_ERROR, PARTIALLY_FAILED, FAILED_AFTER_RETRY, RETRY_FAILED,
		FAILED_RETRY_SCHEDULED, Failed after retrying, FAILED_NOT_RETRYING,
		STOPPED_RETRYING, failedRetriesExhausted, ERROR_NO_LONGER_RETRYING,
		FAILED_TO_COMPLETE, FAILED_TO_BE_COMPLETED, UNABLE_TO_COMPLETE, COMPLETION_FAILED,
		ERROR_NOT_COMPLETED, errorNotCompleted, FAILED_NOT_COMPLETED, NOT_COMPLETED_ERROR,
		COMPLETED_FAILED, FINISHED_UNSUCCESSFULLY, FAILED_WITH_ERRORS,
		NOT_FAILED_BUT_REJECTED
	`,
	completed: `
		COMPLETED, Complete, DONE, FINISHED, SUCCESS, SUCCEEDED, SUCCESSFUL, upload done,
		COMPLETED_WITH_ERRORS, DONE_WITH_ERRORS, FINISHED_WITH_ERRORS, SUCCESS_WITH_ERRORS,
		Completed with errors, completedWithErrors, COMPLETED-WITH-ERROR,
		COMPLETED_WITH_2_ERRORS, COMPLETED_WITH_VALIDATION_ERRORS, ENDED_WITH_SUCCESS,
		COMPLETED_WITH_WARNINGS_AND_ERRORS, PARTIALLY_COMPLETED, COMPLETED_WITHOUT_ERRORS,
		COMPLETED_WITHOUT_ANY_ERRORS, COMPLETED_NO_ERRORS, 0 errors - done,
		COMPLETED_ERROR_FREE, Completed - not rejected, COMPLETED_AFTER_RETRY,
		DONE_NEVER_FAILED
	`,
	unfinished: `
		LOADING, PROCESSING, IN_PROGRESS, COMPLETING, SUCCESSFULLY_STARTED, CANCELLING,
		NOT_COMPLETED, NOT_YET_COMPLETED, NEVER_COMPLETED, Hasn't completed,
		COULD_NOT_BE_COMPLETED, TO_BE_COMPLETED, READY_TO_COMPLETE, INCOMPLETE, UNFINISHED,
		NOT_FULLY_DONE, NOT_FAILED, notFailed, UNFAILED, NON_FAILED, NOT_REJECTED,
		TO_BE_CANCELLED, ERROR_FREE, errorFree, NO_ERRORS, WITHOUT_ERRORS, FREE_OF_ERRORS,
		LOADED_WITH_ERRORS, LOADED_WITH_VALIDATION_ERRORS, RETRYING, FAILED_RETRYING,
		RETRYING_AFTER_ERROR, Failed - retrying, ERROR_BEING_RETRIED
	`,
};

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
