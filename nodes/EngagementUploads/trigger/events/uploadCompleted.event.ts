import type { UploadEvent } from './event';
import { isFailedStatus } from '../../api/uploadStatus';
import { InputError } from '../../values/inputError';

export const uploadCompleted: UploadEvent = {
	value: 'uploadCompleted',
	name: 'Upload Completed',
	description: 'Triggers once for each upload that has completed without failing',
	date: 'completionDate',
	occurrence: ({ status }) => (isFailedStatus(status) ? undefined : 'completed'),
	check({ statuses = [] }) {
		if (statuses.length === 0 || !statuses.every(isFailedStatus)) return;
		throw new InputError(
			'Upload Statuses has only failed statuses, and Upload Completed leaves out failed uploads',
			'Choose the event Upload Failed, or other Upload Statuses',
		);
	},
};
