import type { IDataObject } from 'n8n-workflow';
import { readUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

const ID = { uploadId: 'A', engagementId: 7, creationDate: 'x' };

const seen = (given: object, zone = 'UTC') =>
	readUpload({ ...ID, uploadStatus: 'LOADING', ...given } as IDataObject, 'completionDate', zone);

it('a completion date is in Time Zone', () => {
	const completionDate = '2026-06-15T10:00:00';
	const time = Date.UTC(2026, 5, 15, 14);
	expect(seen({ completionDate }, 'America/New_York')).toMatchObject({ time });
});

it.each(['0001-01-01T00:00:00', '9999-12-31T23:59:59', '1970-01-01T00:00:00', '0', 'pending'])(
	'%s is no completion date',
	(completionDate) => {
		for (const uploadStatus of ['LOADING', undefined, 'COMPLETED'])
			expect(seen({ completionDate, uploadStatus })).toBeUndefined();
		// Nor does it end an upload that is followed.
		const record = { ...ID, uploadStatus: 'LOADING', creationDate: '2026-06-15', completionDate };
		const followed = readUpload(record, 'creationDate', 'UTC');
		expect(followed?.hasEnded()).toBe(false);
	},
);

it.each([null, undefined, ''])('Upload Completed waits for a date, and %j is none', (date) => {
	expect(seen({ completionDate: date, uploadStatus: 'COMPLETED' })).toBeUndefined();
});

it('an upload is identified by its ID in any case', () => {
	expect(seen({ completionDate: '2026-06-15' })?.id).toBe('a');
});
