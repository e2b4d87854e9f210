/** An event of the trigger. There is one file per event, and `index.ts` lists them. */
import type { FollowedUpload } from '../state';
import type { DateField } from '../upload';

export interface UploadEvent {
	/** Value of the option, as saved in workflows. */
	value: string;
	name: string;
	description: string;
	/** The date by which its uploads are found. */
	date: DateField;
	/** The service's filter for that date. */
	dateFilter: 'completedDateFrom' | 'createdDateFrom';
	/** Only for events that depend on the status rather than on the date. */
	follow?: FollowRule;
}

export interface FollowRule {
	/** Whether a status is due; `before` is what was last seen of the upload, if anything. */
	isDue(status: string, before: FollowedUpload | undefined): boolean;
	/**
	 * Whether items have `previousStatus`, since the event occurs with each change. Without it, it
	 * occurs once per upload: `isDue` must be false if `before.isHandled` is true.
	 */
	hasPreviousStatus: boolean;
	/** Whether a test in the editor shows an upload with this status. */
	isShown(status: string): boolean;
}
