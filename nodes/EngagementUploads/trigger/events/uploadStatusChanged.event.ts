/** Whenever its status differs from the one seen before, with `previousStatus` (null for a new upload). */
import type { UploadEvent } from './event';

export const uploadStatusChanged: UploadEvent = {
	value: 'uploadStatusChanged',
	name: 'Upload Status Changed',
	description: 'Triggers for each new upload, and whenever the status of an upload changes',
	date: 'creationDate',
	occurrence: ({ status }) => status,
	isFollowing: true,
	isRepeating: true,
};
