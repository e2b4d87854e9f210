/** What statuses mean, which are not documented. */
import { readOutcome, unclearStatus } from '../../nodes/EngagementUploads/service/uploadStatus.ts';

const STATUSES = {
	failed: `
		FAIL, failure, LOADING_FAILED, ERROR, ABORTED, Canceled, CANCELLED, REJECTED, ConnectionDenied, DECLINED,
		EXPIRED, TIMED_OUT, timedOut, TERMINATED, PARTIALLY_FAILED, STOPPED, UNABLE_TO_CONNECT
	`,
	completed: `
		COMPLETED, Complete, DONE, FINISHED, SUCCESSFUL, SUCCEEDED, completedWithErrors, COMPLETED_WITH_ERRORS, COMPLETED_WITHOUT_ERRORS
	`,
	unfinished: `
		LOADING, COMPLETING, FAILED_RETRYING, NOT_FAILED, NO_ERROR, PENDING, 4
	`,
};
const split = (statuses: string) => statuses.split(',').map((status) => status.trim());

describe.each(Object.entries(STATUSES))('%s:', (outcome, statuses) => {
	it.each(split(statuses))('%s', (uploadStatus) => {
		expect(readOutcome({ uploadStatus }, 'UTC')).toBe(outcome);
	});
});

it('a status that says neither is unclear, unless a date or nothing decides', () => {
	const unclear = (statuses: string) =>
		split(statuses).filter((uploadStatus) => unclearStatus({ uploadStatus }, 'UTC') !== undefined);
	expect(unclear(STATUSES.failed + STATUSES.completed)).toEqual([]);
	const inProgress = 'LOADING, PENDING, queued, STARTED, created, NEW';
	expect(unclear(inProgress)).toEqual([]);
	expect(unclear('4, NO_DATA, Newer')).toHaveLength(3);
	expect(unclearStatus({ status: '4' }, 'UTC')).toBe('4');
	const dated = { uploadStatus: '4', completionDate: '2026-03-01T10:15:30' };
	for (const clear of [dated, {}, { status: null }, { status: ' ' }])
		expect(unclearStatus(clear, 'UTC')).toBeUndefined();
});

it.each([
	['ARCHIVED', '2026-03-01T10:15:30', 'completed'],
	['Session Expired', '2026-03-01T10:15:30', 'failed'],
	[undefined, '2026-03-01T10:15:30', 'completed'],
	[undefined, null, 'unfinished'],
])('the status %j with the date %j means: %s', (uploadStatus, completionDate, outcome) => {
	expect(readOutcome({ uploadStatus, completionDate }, 'UTC')).toBe(outcome);
});
