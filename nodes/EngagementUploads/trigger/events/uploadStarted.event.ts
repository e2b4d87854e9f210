/** Once, when it is listed. */
import type { UploadEvent } from './event';

export const uploadStarted: UploadEvent = {
	value: 'uploadStarted',
	name: 'Upload Started',
	description: 'Triggers once for each new upload',
	date: 'creationDate',
	occurrence: () => 'started',
};
