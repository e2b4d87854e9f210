import type { UploadEvent } from './event';

export const uploadCompleted: UploadEvent = {
	value: 'uploadCompleted',
	name: 'Upload Completed',
	description: 'Triggers once for each upload that has completed',
	date: 'completionDate',
	dateFilter: 'completedDateFrom',
};
