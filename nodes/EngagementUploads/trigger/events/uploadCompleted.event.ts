/** Once, when it has a `completionDate` and its status is not a failed one. */
import type { UploadEvent } from './event';
import { isFailedStatus } from '../../service/uploadStatus';

export const uploadCompleted: UploadEvent = {
	value: 'uploadCompleted',
	name: 'Upload Completed',
	description: 'Triggers once for each upload that has completed without failing',
	date: 'completionDate',
	occurrence: ({ status }) => (isFailedStatus(status) ? undefined : 'completed'),
};
