/** What people, spreadsheets, AI models and programs enter in the fields. */
import type { IDataObject } from 'n8n-workflow';

type Author = 'person' | 'spreadsheet' | 'model' | 'program';

/** Author, operation, value, and part of the last request or of the error. */
type Row = [author: Author, operation: string, written: IDataObject, result: string];

/** The operations, by their names in the rows. */
export const operations: Record<string, IDataObject> = {
	company: { resource: 'company', operation: 'get' },
	connectors: { resource: 'connector', operation: 'getAll' },
	create: { resource: 'engagement', operation: 'create', name: 'Elder & Co' },
	engagements: { resource: 'engagement', operation: 'getAll' },
	last: { resource: 'upload', operation: 'getLast' },
	schedule: {
		resource: 'dataRefresh',
		operation: 'schedule',
		engagementId: 1001,
		scheduleFrequency: '3',
		scheduleStartDate: '2026-12-01',
	},
	uploads: { resource: 'upload', operation: 'getAll' },
	users: { resource: 'user', operation: 'getAll' },
};

const expression = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
const engagement = (value: unknown) => ({ engagementId: expression(value) });
const last = (value: unknown) => ({ engagementIds: expression(value) });
const json = (value: unknown) => JSON.stringify(value);
const filters = (value: unknown) => ({ filters: value as IDataObject });
const ID = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';
const completedFrom = (value: unknown) => filters({ completedDateFrom: expression(value) });
const epoch = Date.parse('2026-01-05T10:00:00Z');

const ids: Row[] = [
	['person', 'company', engagement(' 01001 '), '/engagements/1001/companyDetails'],
	['spreadsheet', 'company', engagement('1001.0'), '/engagements/1001/companyDetails'],
	['spreadsheet', 'company', engagement(1001), '/engagements/1001/companyDetails'],
	['spreadsheet', 'company', engagement(12.5), 'Engagement “12.5” is not a whole number [item 0]'],
	['person', 'company', engagement('Ashby'), 'Engagement “Ashby” is not a whole number [item 0]'],
	['model', 'company', engagement(true), 'Engagement “true” is not a whole number [item 0]'],
	['program', 'company', engagement(''), 'Engagement is empty [item 0]'],
];

const LAST = 'lastUploads?engagementIds=1001,1002&';
const lists: Row[] = [
	['person', 'last', last('1001, 1002,'), LAST],
	['person', 'last', last('1001; 1002'), LAST],
	['person', 'last', last(' 1001 1002 '), LAST],
	['spreadsheet', 'last', last('1001\r\n1002\r\n'), LAST],
	['spreadsheet', 'last', last(['1001.0', '', null, 1002]), LAST],
	['model', 'last', last('["1001", 1002]'), LAST],
	['program', 'last', last([{ engagementId: 1001 }, { engagementId: '1002' }]), LAST],
	['person', 'last', last(' ; ,, '), 'Engagement IDs contains only separators [item 0]'],
	['model', 'last', last('[]'), 'Engagement IDs is empty [item 0]'],
	['person', 'last', last('1001, x'), 'Engagement IDs “x” is not a whole number [item 0]'],
	[
		'person',
		'engagements',
		filters({ externalEngagementIds: 'CRM-1, CRM-2; CRM-3 CRM-4' }),
		'externalEngagementId=CRM-1,CRM-2,CRM-3,CRM-4&',
	],
	[
		'person',
		'engagements',
		filters({ externalEngagementIds: ['ACME North', 'ACME South'] }),
		'externalEngagementId=ACME%20North,ACME%20South&',
	],
];

const limited = (returnAll: unknown) => ({ returnAll: expression(returnAll), limit: 1 });
const refreshable = (value: unknown) => filters({ refreshable: expression(value) });
const booleans: Row[] = [
	...['True', 'yes', 1, '1', 'TRUE'].map(
		(value): Row => ['model', 'engagements', limited(value), 'engagements?page=0&size=100'],
	),
	...['False', 'no', 0, '0', '', null].flatMap((value): Row[] => [
		['model', 'engagements', limited(value), 'engagements?page=0&size=1'],
		['program', 'engagements', { returnAll: value, limit: 1 }, 'engagements?page=0&size=1'],
	]),
	[
		'model',
		'engagements',
		limited('maybe'),
		'Return All “maybe” is neither true nor false [item 0]',
	],
	['model', 'connectors', refreshable('2'), 'Refreshable “2” is neither true nor false [item 0]'],
];

const frequency = (scheduleFrequency: unknown) => ({
	scheduleFrequency: expression(scheduleFrequency),
});
const options: Row[] = [
	...['Weekly', 'WEEKLY', '3', 3].map(
		(value): Row => ['model', 'schedule', frequency(value), '"scheduleFrequency":"3"'],
	),
	['model', 'schedule', frequency('NOT_SCHEDULED'), '"scheduleFrequency":"0"'],
	['person', 'schedule', frequency('Not Scheduled'), '"scheduleFrequency":"0"'],
	[
		'model',
		'schedule',
		frequency('fortnightly'),
		'Frequency “fortnightly” is not a known frequency',
	],
	['model', 'schedule', frequency('fortnightly'), 'Weekly (3)'],
	['model', 'connectors', filters({ type: 'Online' }), '/connectors'],
	['model', 'connectors', filters({ type: 'sideways' }), 'Type “sideways” is not a known value'],
	['model', 'users', { options: { parallelRequests: '8' } }, '/users'],
	['model', 'users', { options: { parallelRequests: 65 } }, 'Parallel Requests “65”'],
	['model', 'users', { options: { parallelRequests: '' } }, '/users'],
];

const dates: Row[] = [
	['person', 'uploads', completedFrom('2026-01-05 10:00:00'), '=2026-01-05T10:00:00&'],
	['person', 'uploads', completedFrom('2026-01-05'), 'completedDateFrom=2026-01-05T00:00:00&'],
	['program', 'uploads', completedFrom('2026-01-05T11:00:00+01:00'), '=2026-01-05T10:00:00&'],
	['program', 'uploads', completedFrom(epoch), '=2026-01-05T10:00:00&'],
	['program', 'uploads', completedFrom(String(epoch)), '=2026-01-05T10:00:00&'],
	[
		'program',
		'uploads',
		filters({ createdDateFrom: '={{ DateTime.fromISO("2026-01-05T10:00:00Z") }}' }),
		'createdDateFrom=2026-01-05T10:00:00&',
	],
	[
		'person',
		'uploads',
		filters({ completedDateTo: '2026-01-05' }),
		'completedDateTo=2026-01-05T23:59:59&',
	],
	['person', 'uploads', filters({ createdDateTo: '2026-01-05' }), '=2026-01-05T23:59:59&'],
	['person', 'uploads', completedFrom('05.01.2026'), 'Completed From “05.01.2026” is not a date'],
	['spreadsheet', 'uploads', completedFrom(46_027), 'Completed From “46027” is not a date'],
	['program', 'schedule', { scheduleStartDate: expression(epoch) }, '"2026-01-05"'],
];

const collections: Row[] = [
	['model', 'uploads', filters(json({ engagementIds: '1001' })), 'uploads?engagementId=1001&'],
	['program', 'uploads', filters(expression({ engagementIds: [1001] })), '?engagementId=1001&'],
	['program', 'uploads', filters(expression(json({ uploadId: ID }))), `uploads?uploadId=${ID}&`],
	['program', 'uploads', filters(''), 'uploads?page=0'],
	['model', 'uploads', filters('engagementIds=1001'), 'Filters is not valid JSON [item 0]'],
	['model', 'uploads', filters([1001]), 'Filters is not a JSON object [item 0]'],
	['model', 'uploads', filters('[]'), 'Filters is not a JSON object [item 0]'],
	['model', 'uploads', filters(1001), 'Filters is not a JSON object [item 0]'],
	['model', 'uploads', filters(json({ engagementId: 1 })), 'Filters has no field “engagementId”'],
	['model', 'engagements', filters(json({ name: 'A' })), 'Filters has no field “name” [item 0]'],
	['model', 'connectors', filters(json({ types: 'A' })), 'Filters has no field “types” [item 0]'],
	[
		'program',
		'uploads',
		{ sort: json({ rule: [{ field: 'uploadId', direction: 'DESC' }] }) },
		'orderBy=-uploadId&',
	],
	['program', 'uploads', { sort: json({ rule: { field: 'uploadId' } }) }, 'orderBy=uploadId&'],
	['model', 'uploads', { sort: 'uploadId' }, 'Sort is not valid JSON [item 0]'],
	[
		'model',
		'uploads',
		{ sort: json({ rule: [{ field: 'uploadId', order: 'desc' }] }) },
		'Sort has no field “order” [item 0]',
	],
	['model', 'uploads', { sort: json({ field: 'uploadId' }) }, 'Sort has no field “field” [item 0]'],
	['program', 'uploads', { options: json({ pageSize: '7' }), returnAll: true }, 'size=7'],
	['model', 'uploads', { options: '[]' }, 'Options is not a JSON object [item 0]'],
	['model', 'uploads', { options: json({ size: 7 }) }, 'Options has no field “size” [item 0]'],
	[
		'program',
		'create',
		{ additionalFields: json({ externalEngagementId: 'CRM-77', usePassthrough: 'True' }) },
		'"externalEngagementId":"CRM-77","usePassthrough":true',
	],
	['model', 'create', { additionalFields: '7' }, 'Additional Fields is not a JSON object [item 0]'],
	[
		'model',
		'create',
		{ additionalFields: json({ email: 'a@example.com' }) },
		'Additional Fields has no field “email” [item 0]',
	],
];

const contact = {
	contactFirstName: 'Ann',
	contactLastName: 'Elder',
	contactEmail: 'ann@example.com',
};
const additional = (additionalFields: IDataObject) => ({ additionalFields });
const portal: Row[] = [
	['person', 'create', additional({ usePortal: true, ...contact }), '?usePortal=true'],
	[
		'person',
		'create',
		additional({ usePortal: true }),
		'Use Portal requires Contact First Name, Contact Last Name, Contact Email [item 0]',
	],
	[
		'model',
		'create',
		additional({ ...contact, usePortal: '={{ "yes" }}', contactEmail: ' ' }),
		'Use Portal requires Contact Email [item 0]',
	],
	[
		'program',
		'create',
		{
			...additional({ usePortal: true }),
			options: { customBody: { firstName: 'Ann', lastName: 'Elder', email: 'a@b.example' } },
		},
		'?usePortal=true',
	],
];

const failing = '={{ $("Nowhere").item.json.id }}';
const expressions: Row[] = [
	['person', 'company', { engagementId: failing }, 'Engagement could not be evaluated: '],
	['person', 'company', { engagementId: failing }, "Referenced node doesn't exist [item 0]"],
	['person', 'uploads', filters({ uploadId: failing }), 'Upload ID could not be evaluated: '],
	['person', 'uploads', filters(failing), 'Filters could not be evaluated: '],
	[
		'person',
		'users',
		{ options: { timeout: failing } },
		'Timeout (Seconds) could not be evaluated',
	],
	['person', 'uploads', { sort: { rule: [{ field: failing }] } }, 'Sort could not be evaluated: '],
	['person', 'engagements', { limit: failing }, 'Limit could not be evaluated: '],
];

export const rows = [
	...ids,
	...lists,
	...booleans,
	...options,
	...dates,
	...collections,
	...portal,
	...expressions,
].map(([author, operation, written, result]) => ({ author, operation, written, result }));
