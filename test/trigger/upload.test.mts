import type { IDataObject } from 'n8n-workflow';
import {
	byTime,
	hasEnded,
	isReadable,
	readUpload,
	type SeenUpload,
} from '../../nodes/EngagementUploads/trigger/upload.ts';

const ID = { uploadId: 'A', engagementId: 7, creationDate: 'x' };

const seen = (completionDate: unknown, zone = 'UTC', given: Partial<typeof ID> = ID) =>
	readUpload({ ...given, completionDate } as IDataObject, 'completionDate', zone);

it.each([
	['2026-06-15T10:00:00', true, Date.UTC(2026, 5, 15, 10)],
	['2026-06-15T10:00:00.123Z', false, Date.UTC(2026, 5, 15, 10, 0, 0, 123)],
	['2026-06-15T10:00:00+0100', false, Date.UTC(2026, 5, 15, 9)],
	['2026-06-15T10:00:00.5-05:30', false, Date.UTC(2026, 5, 15, 15, 30, 0, 500)],
	[1_781_517_600_000, false, 1_781_517_600_000],
	['1781517600000', false, 1_781_517_600_000],
	['2026-06-15', true, Date.UTC(2026, 5, 15)],
	['soon', false, Number.MAX_SAFE_INTEGER],
])('the completion date %s is local: %s', (completionDate, isLocal, time) => {
	expect(seen(completionDate)).toMatchObject({ id: 'a', isLocal, time });
});

const loading = (completionDate: unknown, uploadStatus = 'LOADING') =>
	readUpload({ ...ID, completionDate, uploadStatus } as IDataObject, 'completionDate', 'UTC');

it.each(['0001-01-01T00:00:00', '9999-12-31T23:59:59', '31/12/9999', '1970-01-01', '0', 'pending'])(
	'%s is no completion date of an upload that is loading, but of one that has completed',
	(completionDate) => {
		expect(loading(completionDate)).toBeUndefined();
		expect(loading(completionDate, 'COMPLETED')).toBeDefined();
	},
);

it.each(['15/06/2026 10:00', 'Mon Jun 15 2026', { at: 1_781_517_600 }])(
	'%j is a date in a form that nobody foresaw, whatever the status',
	(completionDate) => {
		expect(loading(completionDate)?.time).toBe(Number.MAX_SAFE_INTEGER);
	},
);

it.each([null, undefined, ''])('there is no upload with the completion date %s', (date) => {
	expect(seen(date)).toBeUndefined();
});

it('a local time is read in the given zone', () => {
	expect(seen('2026-06-15T10:00:00', 'America/New_York')?.time).toBe(Date.UTC(2026, 5, 15, 14));
});

it('an upload without an ID gets one', () => {
	expect(seen('soon', 'UTC', { ...ID, uploadId: undefined })?.id).toBe('7 x');
});

it.each([
	[' COMPLETED ', 'COMPLETED'],
	[undefined, ''],
	[7, '7'],
])('the status %j is “%s”', (uploadStatus, status) => {
	const record = { ...ID, uploadStatus, completionDate: ' 2026-06-15T10:00:00Z ' } as IDataObject;
	expect(readUpload(record, 'completionDate', 'UTC')).toMatchObject({ status, isLocal: false });
});

it('an upload has ended if it has completed or failed, by its date or its status', () => {
	const ended = (completedAt?: number, status = 'UPLOADING') =>
		hasEnded({ completedAt, status } as SeenUpload);
	const byStatus = ['', 'COMPLETED', 'FAILED'].map((status) => ended(undefined, status));
	expect([ended(), ended(0), ...byStatus]).toEqual([false, true, false, true, true]);
});

it('uploads are in the order of their dates, then of their IDs', () => {
	const uploads = ['b 2', 'a 2', 'c 1', 'a 3'].map((text) => {
		const [id, time] = text.split(' ');
		return { id, time: Number(time) } as SeenUpload;
	});
	const sorted = uploads.sort(byTime).map(({ id, time }) => `${id} ${time}`);
	expect(sorted).toEqual(['c 1', 'a 2', 'b 2', 'a 3']);
});

it('a date that cannot be read is not a time', () => {
	expect(isReadable(Number.MAX_SAFE_INTEGER - 1)).toBe(true);
	expect(isReadable(Number.MAX_SAFE_INTEGER)).toBe(false);
});
