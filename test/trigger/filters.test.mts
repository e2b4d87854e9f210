import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../nodes/EngagementUploads/values/inputError.ts';
import { matchesRules } from '../../nodes/EngagementUploads/fields/uploadFilters.ts';
import { filters, rulesOf } from '../../nodes/EngagementUploads/trigger/filters.ts';
import { seenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

const record = {
	uploadId: 'a',
	engagementId: 1001,
	connectorName: 'LedgerPro',
	uploadStatus: 'COMPLETED',
	uploadType: 'FULL',
	completionDate: '2026-06-15T10:00:00',
};

const parseFilter = (entered: IDataObject) => rulesOf(filters.parse(entered, 'Filters', 'UTC'));

function matches(filters: IDataObject, given: IDataObject = {}): boolean {
	return matchesRules(parseFilter(filters), { ...record, ...given });
}

describe('the filter', () => {
	it.each([
		[{}, true],
		[{ engagementIds: '1001' }, true],
		[{ engagementIds: 1001 }, true],
		[{ engagementIds: [7, '1001'] }, true],
		[{ engagementIds: '7, 8' }, false],
		[{ connectorNames: ' ledgerpro , other' }, true],
		[{ connectorNames: ['LEDGERPRO'] }, true],
		[{ connectorNames: 'ledger' }, false],
		[{ uploadStatuses: 'completed' }, true],
		[{ uploadStatuses: 'FAILED' }, false],
		[{ uploadTypes: 'full', uploadStatuses: 'FAILED' }, false],
		[{ uploadTypes: 'full', uploadStatuses: '' }, true],
		[{ uploadTypes: [] }, true],
	])('%j: %s', (filters, expected) => {
		expect(matches(filters)).toBe(expected);
	});

	it('matches an ID sent as text, and no upload without the field', () => {
		expect(matches({ engagementIds: '1001' }, { engagementId: '1001' })).toBe(true);
		expect(matches({ uploadTypes: 'FULL' }, { uploadType: null })).toBe(false);
	});

	it.each([{ engagementIds: 'x' }, { engagementIds: ',' }, { connectorNames: ', ,' }])(
		'rejects %j',
		(filters) => {
			expect(() => parseFilter(filters)).toThrow(InputError);
		},
	);

	it('is the same however it is entered, and different for other values', () => {
		const name = fc.stringMatching(/^[a-z]{1,6}$/);
		fc.assert(
			fc.property(fc.uniqueArray(name, { minLength: 1 }), name, (names, other) => {
				const filter = parseFilter({ connectorNames: names });
				const same = names.toReversed().join(' , ').toUpperCase();
				expect(parseFilter({ connectorNames: same })).toEqual(filter);
				expect(parseFilter({ uploadTypes: names })).not.toEqual(filter);
				const [[, values] = ['', []]] = parseFilter({ connectorNames: [...names, other] });
				expect(values).toHaveLength(new Set([...names, other]).size);
			}),
		);
		expect(parseFilter({ connectorNames: '' })).toEqual(parseFilter({}));
	});
});

describe('an upload as the trigger sees it', () => {
	it.each([
		['2026-06-15T10:00:00', true, Date.UTC(2026, 5, 15, 10)],
		['2026-06-15T10:00:00.123Z', false, Date.UTC(2026, 5, 15, 10, 0, 0, 123)],
		['2026-06-15T10:00:00+0100', false, Date.UTC(2026, 5, 15, 9)],
		['2026-06-15T10:00:00.5-05:30', false, Date.UTC(2026, 5, 15, 15, 30, 0, 500)],
		[1_781_517_600_000, false, 1_781_517_600_000],
		['1781517600000', false, 1_781_517_600_000],
		['2026-06-15', true, Date.UTC(2026, 5, 15)],
	])('reads %s', (completionDate, isLocal, time) => {
		expect(seenUpload({ ...record, completionDate }, 'completionDate', 'UTC')).toMatchObject({
			isLocal,
			time,
		});
	});

	it.each([null, undefined, ''])('is none with %s', (completionDate) => {
		expect(seenUpload({ ...record, completionDate }, 'completionDate', 'UTC')).toBeUndefined();
	});

	it('reads a local time in the given zone', () => {
		const upload = seenUpload(record, 'completionDate', 'America/New_York');
		expect(upload?.time).toBe(Date.UTC(2026, 5, 15, 14));
	});

	it('treats an invalid time as the far future, and derives an ID if there is none', () => {
		const upload = seenUpload(
			{ engagementId: 7, creationDate: 'x', completionDate: 'soon' },
			'completionDate',
			'UTC',
		);
		expect(upload).toMatchObject({ id: '7 x', time: Number.MAX_SAFE_INTEGER });
	});
});
