/** Upload ID: one upload. */
import { parseUploadId } from '../values/ids';
import { text } from './field';

export const uploadId = text(
	'Upload ID',
	'ID of the upload. You can drag uploadId here from an earlier node.',
	parseUploadId,
	{ required: true, placeholder: 'e.g. 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11' },
);
