/**
 * The events of the trigger: what each one is, and what it says has occurred to an upload. All share one rule: an upload
 * in the window is emitted when what has occurred to it differs from what is known.
 */
import { isFailedStatus } from '../service/uploadStatus';
import { isAbsent } from '../values/text';
import { isReadable, type DateField, type SeenUpload } from './upload';

/** The trigger's settings that an event may depend on, in milliseconds. */
interface EventSettings {
	stuckAfter?: number;
	followFor?: number;
}

export interface UploadEvent {
	/** Value of the option, as saved in workflows. */
	value: string;
	name: string;
	description: string;
	/** The date by which uploads are found. */
	date: DateField;
	/**
	 * What has occurred to an upload by `now` (epoch milliseconds), if anything; always the same text for an event that
	 * occurs once.
	 */
	occurrence(upload: SeenUpload, now: number, settings: EventSettings): string | undefined;
	/** How long after the date it may occur, in milliseconds; uploads are listed that far back. Such an event has no Start From. */
	span?(settings: EventSettings): number;
	/** It may occur several times, and items have `previousStatus`. */
	isRepeating?: true;
}

/** Once, when it has a `completionDate` and its status is not a failed one. */
const uploadCompleted: UploadEvent = {
	value: 'uploadCompleted',
	name: 'Upload Completed',
	description: 'Triggers once for each upload that has completed without failing',
	date: 'completionDate',
	occurrence: ({ status }) => (isFailedStatus(status) ? undefined : 'completed'),
};

/** Once, when its status is first seen to mean failure, with or without a completion date. */
const uploadFailed: UploadEvent = {
	value: 'uploadFailed',
	name: 'Upload Failed',
	description: 'Triggers once for each upload that failed or was cancelled',
	date: 'creationDate',
	occurrence: ({ status }) => (isFailedStatus(status) ? 'failed' : undefined),
	span: ({ followFor = 0 }) => followFor,
};

/** Once, when it is listed. */
const uploadStarted: UploadEvent = {
	value: 'uploadStarted',
	name: 'Upload Started',
	description: 'Triggers once for each new upload',
	date: 'creationDate',
	occurrence: () => 'started',
};

/** Whenever its status differs from the one seen before, with `previousStatus` (null for a new upload). */
export const uploadStatusChanged: UploadEvent = {
	value: 'uploadStatusChanged',
	name: 'Upload Status Changed',
	description: 'Triggers for each new upload, and whenever the status of an upload changes',
	date: 'creationDate',
	occurrence: ({ status }) => status,
	span: ({ followFor = 0 }) => followFor,
	isRepeating: true,
};

/** Once, when it has neither completed nor failed *Stuck After* hours after its creation. */
export const uploadStuck: UploadEvent = {
	value: 'uploadStuck',
	name: 'Upload Stuck',
	description:
		'Triggers once for each upload that is still unfinished some hours after it was created',
	date: 'creationDate',
	occurrence(upload, now, { stuckAfter = 0 }) {
		// One whose creation date cannot be read is emitted at once, rather than never.
		const isOld = isReadable(upload.time)
			? now >= upload.time + stuckAfter
			: !isAbsent(upload.record.creationDate);
		return isOld && !upload.hasEnded() ? 'stuck' : undefined;
	},
	span: ({ stuckAfter = 0 }) => stuckAfter,
};

/** The default, for nodes saved without the parameter. */
export const defaultEvent = uploadCompleted;

/** In the order of the Event field. */
export const events: readonly UploadEvent[] = [
	uploadCompleted,
	uploadFailed,
	uploadStarted,
	uploadStatusChanged,
	uploadStuck,
];
