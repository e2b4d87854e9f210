/** What an event of the trigger is: one file an event says which, and `index.ts` lists them. */
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
	/** Where it looks at statuses rather than at the date itself. */
	follow?: FollowRule;
}

export interface FollowRule {
	/** Whether a status is news; `before` is what was seen of the upload, if it was. */
	isDue(status: string, before: FollowedUpload | undefined): boolean;
	/** Items carry `previousStatus`. */
	tellsPrevious: boolean;
	/** Of a test in the editor: whether an upload in this status is shown. */
	isShown(status: string): boolean;
}
