/** Once, when its status is first seen to mean failure, with or without a completion date. */
import type { UploadEvent } from './event';
import { isFailedStatus } from '../../service/uploadStatus';

export const uploadFailed: UploadEvent = {
	value: 'uploadFailed',
	name: 'Upload Failed',
	description: 'Triggers once for each upload that has failed or been aborted',
	date: 'creationDate',
	occurrence: ({ status }) => (isFailedStatus(status) ? 'failed' : undefined),
	isFollowing: true,
};
