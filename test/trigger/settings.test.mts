import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { readTriggerSettings } from '../../nodes/EngagementUploads/trigger/settings.ts';

const EMPTY = '={{ $json.none }}';

/** The settings for these parameters; `evaluated` are the values of expressions. */
function readSettings(
	parameters: Record<string, unknown>,
	evaluated: Record<string, unknown> = {},
	zone = 'UTC',
) {
	const values: Record<string, unknown> = { ...parameters, ...evaluated };
	const context = {
		getNode: () => ({ name: 'Trigger', parameters }),
		getNodeParameter: (name: string, fallback: unknown) => values[name] ?? fallback,
		getTimezone: () => zone,
	};
	return readTriggerSettings(context as unknown as IPollFunctions);
}

it('only starts in the past for events that are dated', () => {
	const startsNow = (event: string) => readSettings({ event, startFrom: 'beginning' }).startsNow;
	expect(startsNow('uploadStarted')).toBe(false);
	expect(startsNow('uploadFailed')).toBe(true);
});

describe('the start date', () => {
	const start = (startDate: unknown, zone?: string) =>
		readSettings({ startFrom: 'date', startDate: '={{ … }}' }, { startDate }, zone).readStartDate();

	it('without an offset is in the zone of the workflow', () => {
		expect(start('2026-06-15T10:00:00', 'Europe/London')).toBe(Date.UTC(2026, 5, 15, 9));
		expect(start('2026-06-15', 'America/New_York')).toBe(Date.UTC(2026, 5, 15, 4));
		expect(start('2026-06-15T10:00:00+02:00', 'Europe/London')).toBe(Date.UTC(2026, 5, 15, 8));
	});

	it.each([
		[undefined, 'Start Date is empty'],
		['15.6.2026', 'Start Date “15.6.2026” is not a date'],
	])('is rejected if it is %j', (startDate, message) => {
		expect(() => start(startDate)).toThrow(message);
	});

	it('is the same start as long as its expression does not change', () => {
		const parameters = { startFrom: 'date', startDate: '={{ $now }}' };
		const print = (given: object, startDate: string) =>
			readSettings({ ...parameters, ...given }, { startDate }).start;
		expect(print({}, '2026-06-15')).toBe(print({}, '2026-06-16'));
		expect(print({ startDate: '2026-06-15' }, '2026-06-15')).not.toBe(print({}, '2026-06-15'));
	});
});

it.each([
	['Start From', { startFrom: EMPTY }, { startFrom: ' ' }],
	['Stuck After (Hours)', { event: 'uploadStuck', stuckAfter: EMPTY }, { stuckAfter: null }],
	['Look-Back (Minutes)', { options: { lookback: EMPTY } }, { options: { lookback: '' } }],
])('an expression that leaves %s empty is refused', (label, parameters, evaluated) => {
	expect(() => readSettings(parameters, evaluated)).toThrow(`${label} is empty`);
});

it.each([
	[{ startFrom: 'later' }, 'Start From “later” is not a known value'],
	[{ event: 'uploadLost' }, 'Event “uploadLost” is not a known value'],
	[{ options: { followFor: 0 } }, 'Follow For (Days) “0” is not a number of at least 1'],
	[{ options: { maxUploadsPerPoll: 0 } }, 'Max Uploads per Poll “0”'],
	[{ filters: { engagementIds: 'abc' } }, 'Engagement IDs “abc” is not a positive whole number'],
	[{ filters: { connectorNames: ', ,' } }, 'Connector Names'],
	[{ filters: { statuses: 'FAILED' } }, 'Filters has no field “statuses”'],
])('rejects %j, naming the field', (parameters, message) => {
	expect(() => readSettings(parameters)).toThrow(message);
});

describe('the filters', () => {
	const record = {
		engagementId: 1001,
		externalEngagementId: 'Cust 042',
		connectorName: 'LedgerPro',
		uploadStatus: 'COMPLETED',
		uploadType: 'FULL',
	};
	const matches = (filters: IDataObject, given: IDataObject = record) =>
		readSettings({ event: 'uploadStatusChanged', filters }).matches(given);

	it.each([
		[{ engagementIds: [7, '1001'] }, true],
		[{ connectorNames: ' ledgerpro , other' }, true],
		[{ connectorNames: 'ledgerpro', uploadStatuses: 'FAILED' }, false],
		[{ externalEngagementIds: 'Cust 041; Cust 042' }, true],
		[{ externalEngagementIds: 'CUST 042' }, false],
	])('%j let the upload pass: %s', (filters, expected) => {
		expect(matches(filters)).toBe(expected);
		expect(matches(filters, { ...record, engagementId: '1001' })).toBe(expected);
	});

	it('by status are not read by events that do not show them', () => {
		const settings = readSettings({
			event: 'uploadStarted',
			filters: { uploadStatuses: 'FAILED' },
		});
		expect(settings.matches(record)).toBe(true);
	});

	it('let no upload pass that lacks the field', () => {
		expect(matches({ connectorNames: 'x' }, { connectorName: null })).toBe(false);
	});
});
