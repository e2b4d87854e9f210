import type { Upload } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import { dataStatusRecord } from '../../nodes/EngagementUploads/service/dataStatus.ts';

const DAY = 24 * 3_600_000;
const now = Date.parse('2026-06-15T12:00:00Z');
const rules = { now, staleAfter: 30 * DAY, stuckAfter: DAY / 4, zone: 'UTC' };
const findStatus = (last: Upload | undefined) => {
	const { dataStatus, ageDays } = dataStatusRecord({ Id: '7' }, last, rules);
	return [dataStatus, ageDays];
};

it.each([
	[undefined, 'never', null],
	[{}, 'running', null],
	[{ creationDate: '2026-06-15T06:00:00' }, 'running', null],
	[{ creationDate: '2026-06-15T05:59:59' }, 'stuck', null],
	[{ creationDate: '2026-01-01T00:00:00', completionDate: null }, 'stuck', null],
	[{ completionDate: '1970-01-01T00:00:00' }, 'running', null],
	[{ completionDate: '2026-05-16T12:00:00' }, 'fresh', 30],
	[{ completionDate: '2026-05-16T11:59:59' }, 'stale', 30],
	[{ completionDate: '2026-06-15T12:00:59', creationDate: '2026-01-01T00:00:00' }, 'fresh', 0],
	[{ status: 'FAILED' }, 'failed', null],
	[{ uploadStatus: 'ABORTED', completionDate: '2026-06-14T12:00:00' }, 'failed', null],
	// It says that it has completed, but not when.
	[{ status: 'COMPLETED', creationDate: '2026-06-15T05:00:00' }, 'fresh', 0],
	[{ status: 'Done', creationDate: '2026-05-15T12:00:00' }, 'stale', 31],
	// Whatever became of its last upload; what cannot be read counts as enabled.
	[{ active: false, status: 'FAILED' }, 'disabled', null],
	[{ active: 'False', completionDate: '2026-05-16T12:00:00' }, 'disabled', 30],
	[{ active: 'perhaps' }, 'running', null],
])('the last upload %j is %s, of age %p', (upload, dataStatus, ageDays) => {
	expect(findStatus(upload)).toEqual([dataStatus, ageDays]);
});

it.each([
	[{ name: 'Ashby', Sme: { name: 'Ada' } }, 'Ashby'],
	[{ name: '', Sme: { name: 'Ada' } }, 'Ada'],
	[{ smeName: 'Ada' }, 'Ada'],
])('is called by the name of the engagement, or else of its contact: %j', (engagement, name) => {
	expect(dataStatusRecord(engagement, undefined, rules)).toMatchObject({ name });
});

it('has the last upload with its times in UTC, and its age', () => {
	const last = {
		...{ uploadId: 'u', connectorName: 'Sage', creationDate: '2026-06-14T10:30:00' },
		completionDate: '2026-06-14T11:00:00',
	};
	const london = { ...rules, zone: 'Europe/London' };
	expect(dataStatusRecord({ Id: '7' }, last, london)).toMatchObject({
		...{ lastUploadId: 'u', connectorName: 'Sage', dataStatus: 'fresh', ageDays: 1 },
		...{ creationDate: '2026-06-14T09:30:00.000Z', completionDate: '2026-06-14T10:00:00.000Z' },
	});
});
