/** What occurs to an upload, as each event sees it. */
import { events } from '../../nodes/EngagementUploads/trigger/events.ts';
import { readUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

const HOUR = 3_600_000;
const CREATED = Date.UTC(2026, 5, 15);

/** In this order: just created, still running after 6 hours, completed, and failed. */
const OCCURRENCES: Record<string, Array<string | undefined>> = {
	uploadCompleted: [undefined, undefined, 'completed', undefined],
	uploadFailed: [undefined, undefined, undefined, 'failed'],
	uploadStarted: ['started', 'started', 'started', 'started'],
	uploadStatusChanged: ['UPLOADING', 'UPLOADING', 'COMPLETED', 'LOADING_FAILED'],
	uploadStuck: [undefined, 'stuck', undefined, undefined],
};

it.each(events)('$name', (event) => {
	const after = (age: number, uploadStatus: string, completionDate?: string) => {
		const record = { uploadId: 'a', uploadStatus, creationDate: '2026-06-15', completionDate };
		const upload = readUpload(record, event.date, 'UTC');
		return upload && event.occurrence(upload, CREATED + age, { stuckAfter: 6 * HOUR });
	};
	const seen = [
		after(6 * HOUR - 1, 'UPLOADING'),
		after(6 * HOUR, 'UPLOADING'),
		after(6 * HOUR, 'COMPLETED', '2026-06-15T01:00:00'),
		after(6 * HOUR, 'LOADING_FAILED'),
	];
	const expected = OCCURRENCES[event.value];
	if (expected === undefined)
		throw new Error(`Add a row for ${event.value} to test/trigger/occurrences.test.mts`);
	expect(seen).toEqual(expected);
	if (expected.every((each) => each === undefined))
		throw new Error(`None of the columns causes ${event.value}: add one that does, to all rows`);
});
