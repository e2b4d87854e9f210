/** The events, in the order of the Event field. */
import type { UploadEvent } from './event';
import { uploadCompleted } from './uploadCompleted.event';
import { uploadFailed } from './uploadFailed.event';
import { uploadStarted } from './uploadStarted.event';
import { uploadStatusChanged } from './uploadStatusChanged.event';
import { uploadStuck } from './uploadStuck.event';

/** The event of a trigger that has not been told any. */
export const defaultEvent: UploadEvent = uploadCompleted;

export const events: readonly UploadEvent[] = [
	uploadCompleted,
	uploadFailed,
	uploadStarted,
	uploadStatusChanged,
	uploadStuck,
];
