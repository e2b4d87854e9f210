import {
	connector,
	engagement,
	period,
	upload,
} from '../../nodes/EngagementUploads/api/records.ts';
import { identityKey } from '../../nodes/EngagementUploads/transport/responses.ts';

describe('the identity of a record', () => {
	it('is its ID, under any of its names, as a number or as text', () => {
		expect(identityKey({ uploadId: 'u1' }, upload)).toBe('u1');
		expect(identityKey({ Id: 7 }, engagement)).toBe(identityKey({ id: '7' }, engagement));
		expect(identityKey({ name: 'online' }, connector)).toBe('online');
	});

	it('of a period is more than its number, which repeats every year', () => {
		const [first, second] = ['2025', '2026'].map((yearId) =>
			identityKey({ uploadId: 'u1', yearId, periodId: '1' }, period),
		);
		expect(first).not.toBe(second);
		expect(identityKey({ yearId: '2025', periodId: '1' }, period)).toBeDefined();
	});

	it.each([{}, { uploadId: null }, { uploadId: { a: 1 } }])('is unknown for %j', (record) => {
		expect(identityKey(record, upload)).toBeUndefined();
	});
});
