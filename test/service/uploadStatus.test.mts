import { isFailedStatus } from '../../nodes/EngagementUploads/service/uploadStatus.ts';

it.each([
	...['FAILED', 'ABORTED', 'aborted', 'Cancelled', 'REJECTED', 'FAILED_NO_DATA', 'ERROR'],
	...['EXPIRED', 'TIMED_OUT', 'timedOut', 'Timeout', 'ConnectionDenied', 'UNSUCCESSFUL', 'STOPPED'],
])('%s is a failed status', (status) => {
	expect(isFailedStatus(status)).toBe(true);
});

it.each([
	...['LOADING', 'PROCESSING', 'COMPLETED', '', 'COMPLETED_WITH_ERRORS', 'UNFAILED'],
	...['Completed - not rejected', 'NOT_REJECTED', 'WITHOUT_ERRORS', 'RETRYING_AFTER_ERROR'],
	...['NO_ERRORS', 'ERROR_FREE'],
])('%s is not', (status) => {
	expect(isFailedStatus(status)).toBe(false);
});
