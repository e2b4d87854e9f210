import { uploadCompleted } from '../../nodes/EngagementUploads/trigger/events/uploadCompleted.event.ts';
import { uploadFailed } from '../../nodes/EngagementUploads/trigger/events/uploadFailed.event.ts';
import { uploadStarted } from '../../nodes/EngagementUploads/trigger/events/uploadStarted.event.ts';
import { uploadStatusChanged } from '../../nodes/EngagementUploads/trigger/events/uploadStatusChanged.event.ts';
import { uploadStuck } from '../../nodes/EngagementUploads/trigger/events/uploadStuck.event.ts';
import type { SeenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

const HOUR = 3_600_000;
const CREATED = Date.UTC(2026, 5, 15);
const stuckAfter = 6 * HOUR;

const upload = (status: string, completedAt?: number): SeenUpload => {
	return { id: 'a', time: CREATED, isLocal: false, status, completedAt, record: {} };
};
const [running, completed, failed] = [
	upload('UPLOADING'),
	upload('COMPLETED', CREATED + HOUR),
	upload('LOADING_FAILED'),
];

it.each([
	{ event: uploadCompleted, expected: ['completed', 'completed', undefined] },
	{ event: uploadFailed, expected: [undefined, undefined, 'failed'] },
	{ event: uploadStarted, expected: ['started', 'started', 'started'] },
	{ event: uploadStatusChanged, expected: ['UPLOADING', 'COMPLETED', 'LOADING_FAILED'] },
])('$event.name of running, completed and failed uploads', ({ event, expected }) => {
	const occurrences = [running, completed, failed].map((each) =>
		event.occurrence(each, CREATED, {}),
	);
	expect(occurrences).toEqual(expected);
});

it.each([
	{ each: running, age: stuckAfter - 1, occurrence: undefined },
	{ each: running, age: stuckAfter, occurrence: 'stuck' },
	{ each: completed, age: stuckAfter, occurrence: undefined },
	{ each: failed, age: stuckAfter, occurrence: undefined },
])('Upload Stuck: $each.status after $age ms is $occurrence', ({ each, age, occurrence }) => {
	expect(uploadStuck.occurrence(each, CREATED + age, { stuckAfter })).toBe(occurrence);
});

it('Upload Stuck needs a Stuck After that is shorter than Follow For', () => {
	const check = (followFor: number) => () => uploadStuck.check?.({ followFor, stuckAfter });
	expect(check(stuckAfter + 1)).not.toThrow();
	const advice = 'Decrease Stuck After, or increase Follow For';
	expect(check(stuckAfter)).toThrow(expect.objectContaining({ advice }));
});
