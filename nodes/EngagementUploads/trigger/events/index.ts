/** The events, in the order of the Event field. */
import type { UploadEvent } from './event';
import { uploadCompleted } from './uploadCompleted.event';
import { uploadFailed } from './uploadFailed.event';
import { uploadStarted } from './uploadStarted.event';
import { uploadStatusChanged } from './uploadStatusChanged.event';
import { uploadStuck } from './uploadStuck.event';

/** The default, for nodes saved without the parameter. */
export const defaultEvent: UploadEvent = uploadCompleted;

export const events: readonly UploadEvent[] = [
	uploadCompleted,
	uploadFailed,
	uploadStarted,
	uploadStatusChanged,
	uploadStuck,
];
