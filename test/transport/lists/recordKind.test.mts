import {
	connector,
	engagement,
	period,
	upload,
} from '../../../nodes/EngagementUploads/api/records.ts';
import { idOf } from '../../../nodes/EngagementUploads/transport/lists/recordKind.ts';

describe('the identity of a record', () => {
	it('is its ID, under any of its names, as a number or as text', () => {
		expect(idOf({ uploadId: 'u1' }, upload)).toBe('u1');
		expect(idOf({ Id: 7 }, engagement)).toBe(idOf({ id: '7' }, engagement));
		expect(idOf({ name: 'online' }, connector)).toBe('online');
	});

	it('is the same in any case', () => {
		expect(idOf({ uploadId: 'AB-1' }, upload)).toBe(idOf({ uploadId: 'ab-1' }, upload));
	});

	it('of a period is more than its number, which repeats every year', () => {
		const [first, second] = ['2025', '2026'].map((yearId) =>
			idOf({ uploadId: 'u1', yearId, periodId: '1' }, period),
		);
		expect(first).not.toBe(second);
		expect(idOf({ yearId: '2025', periodId: '1' }, period)).toBe('2025\n1');
	});

	it.each([{ engagementId: 7, creationDate: 'x' }, { uploadId: null }, { uploadId: { a: 1 } }])(
		'is unknown for %j',
		(record) => {
			expect(idOf(record, upload)).toBeUndefined();
		},
	);
});
