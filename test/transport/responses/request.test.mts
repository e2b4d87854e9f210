import { advising } from '../../support/advice.mts';
import type { IDataObject } from 'n8n-workflow';
import {
	connector,
	engagement,
	kinds,
	period,
	upload,
} from '../../../nodes/EngagementUploads/service/records.ts';
import {
	idOf,
	pageFields,
	type RecordKind,
} from '../../../nodes/EngagementUploads/transport/responses/request.ts';
import { listKinds } from '../../support/kinds.mts';

describe('the identity of a record', () => {
	it('is its ID, under any of its names, as a number or as text', () => {
		expect(idOf({ uploadId: 'u1' }, upload)).toBe('u1');
		expect(idOf({ Id: 7 }, engagement)).toBe(idOf({ id: '7' }, engagement));
		expect(idOf({ name: 'online' }, connector)).toBe('online');
	});

	it.each(listKinds)('tells the records of a list of $name apart', ({ kind, records }) => {
		const [first, second] = records.map((record) =>
			idOf(record as IDataObject, kinds[kind] as RecordKind),
		);
		advising('Name what identifies a record of this kind in api/records.ts', () =>
			expect([first, second]).not.toContain(undefined),
		);
		expect(first).not.toBe(second);
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

describe('page fields', () => {
	it.each([
		[true, true],
		['true', true],
		['false', false],
		['yes', undefined],
		[1, undefined],
	])('the flag %j is %j', (last, flag) => {
		expect(pageFields([{ last }]).last).toBe(flag);
	});

	it.each([
		[3, 3],
		[0, 0],
		['12', 12],
		['999999999999999', 999_999_999_999_999],
		['1234567890123456', undefined],
		['12x', undefined],
		['x12', undefined],
		[-1, undefined],
		[1.5, undefined],
		[[7], undefined],
	])('the number %j is %j', (totalPages, count) => {
		expect(pageFields([{ totalPages }]).totalPages).toBe(count);
	});
});
