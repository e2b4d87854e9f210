import type { IDataObject } from 'n8n-workflow';
import { seenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

const ID = { uploadId: 'A', engagementId: 7, creationDate: 'x' };

const seen = (completionDate: unknown, zone = 'UTC', given: Partial<typeof ID> = ID) =>
	seenUpload({ ...given, completionDate } as IDataObject, 'completionDate', zone);

it.each([
	['2026-06-15T10:00:00', true, Date.UTC(2026, 5, 15, 10)],
	['2026-06-15T10:00:00.123Z', false, Date.UTC(2026, 5, 15, 10, 0, 0, 123)],
	['2026-06-15T10:00:00+0100', false, Date.UTC(2026, 5, 15, 9)],
	['2026-06-15T10:00:00.5-05:30', false, Date.UTC(2026, 5, 15, 15, 30, 0, 500)],
	[1_781_517_600_000, false, 1_781_517_600_000],
	['1781517600000', false, 1_781_517_600_000],
	['2026-06-15', true, Date.UTC(2026, 5, 15)],
	['soon', true, Number.MAX_SAFE_INTEGER],
])('the completion date %s is local: %s', (completionDate, isLocal, time) => {
	expect(seen(completionDate)).toMatchObject({ id: 'a', isLocal, time });
});

it.each([null, undefined, ''])('there is no upload with the completion date %s', (date) => {
	expect(seen(date)).toBeUndefined();
});

it('a local time is read in the given zone', () => {
	expect(seen('2026-06-15T10:00:00', 'America/New_York')?.time).toBe(Date.UTC(2026, 5, 15, 14));
});

it('an upload without an ID gets one', () => {
	expect(seen('soon', 'UTC', { ...ID, uploadId: undefined })?.id).toBe('7\nx');
});
