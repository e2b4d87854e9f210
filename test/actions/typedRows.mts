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
	start: { resource: 'upload', operation: 'start', engagementId: 1001 },
	uploads: { resource: 'upload', operation: 'getAll' },
	users: { resource: 'user', operation: 'getAll' },
};

const expression = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
const engagement = (value: unknown) => ({ engagementId: expression(value) });
const last = (value: unknown) => ({ engagementIds: expression(value) });
const json = (value: unknown) => JSON.stringify(value);
const filters = (value: unknown) => ({ filters: value as IDataObject });
const completedFrom = (value: unknown) => filters({ completedDateFrom: expression(value) });
const epoch = Date.parse('2026-01-05T10:00:00Z');

const locator = (mode: string, value: unknown) =>
	({ __rl: true, mode, value }) as unknown as IDataObject;
/** A whole record, dragged from an earlier node. */
const dragged = expression({
	engagementId: 1001,
	externalEngagementId: 'CRM-1',
	connectorName: 'cloudbooks',
	connectorId: 11,
	uploadId: 'c0ffee00-0000-4000-8000-00000000000c',
});

const ids: Row[] = [
	...[
		...[locator('list', '1001'), locator('id', 1001), locator('id', dragged)],
		...[locator('externalId', 'CRM-1'), locator('externalId', dragged)],
	].map(
		(engagementId): Row => ['person', 'company', { engagementId }, '/engagements/1001/company'],
	),
	['program', 'company', engagement({ name: 'x' }), 'Engagement (an object) is not a positive'],
	['program', 'uploads', filters({ uploadId: dragged }), 'uploadId=c0ffee00-0000-4000-8000-'],
	...['cloudbooks', dragged, '={{ "cloud" + "books" }}'].map(
		(name): Row => ['person', 'start', { connectorName: locator('name', name) }, '/cloudbooks/'],
	),
	...[11, '11.0', ' 011 ', dragged, 'CLOUDbooks', 'Cloud Books', '\u200bcloud books '].map(
		(id): Row => ['person', 'start', { connectorName: locator('id', id) }, '/cloudbooks/upload'],
	),
	['person', 'company', engagement(' 01001 '), '/engagements/1001/companyDetails'],
	['spreadsheet', 'company', engagement(12.5), 'Engagement “12.5” is not a positive whole number'],
	['person', 'company', engagement('0'), 'Engagement “0” is not a positive whole number [item 0]'],
	['person', 'company', engagement('CUSTOMER-42'), 'or choose By External ID'],
	['model', 'company', engagement(true), 'Engagement “true” is not a positive whole number'],
	['program', 'create', { name: '={{ NaN }}' }, 'Name is not a number or text (NaN) [item 0]'],
	['program', 'create', { name: expression('x'.repeat(1001)) }, 'x…” is too long [item 0]'],
	['program', 'company', engagement(''), 'Engagement is empty [item 0]'],
];

const LAST = 'lastUploads?engagementIds=1001,1002&';
const lists: Row[] = [
	['person', 'last', last('1001, 1002,'), LAST],
	['spreadsheet', 'last', last('1001\r\n1002\r\n'), LAST],
	['spreadsheet', 'last', last(['1001.0', '', null, 1002]), LAST],
	['model', 'last', last('["1001", 1002]'), LAST],
	['program', 'last', last([{ id: 1001 }]), 'Engagement IDs'],
	['person', 'last', last(' ; ,, '), 'Engagement IDs contains only separators [item 0]'],
	['model', 'last', last('[]'), 'Engagement IDs is empty [item 0]'],
	['person', 'last', last('1001, x'), 'Engagement IDs “x” is not a positive whole number'],
	[
		'person',
		'engagements',
		filters({ externalEngagementIds: 'CRM-1, CRM-2; CRM-3 CRM-4' }),
		'externalEngagementId=CRM-1,CRM-2,CRM-3,CRM-4&',
	],
	[
		'program',
		'engagements',
		filters({ externalEngagementIds: expression([{ externalEngagementId: 'CRM-1' }, 'CRM-2']) }),
		'externalEngagementId=CRM-1,CRM-2&',
	],
	[
		'program',
		'uploads',
		filters({ engagementIds: expression([{ engagementId: 1001 }, 1002]) }),
		'engagementId=1001,1002&',
	],
];

const limited = (returnAll: unknown) => ({ returnAll: expression(returnAll), limit: 1 });
const refreshable = (value: unknown) => filters({ refreshable: expression(value) });
const booleans: Row[] = [
	...['True', 'yes', 1, '1', 'TRUE'].map(
		(value): Row => ['model', 'engagements', limited(value), 'engagements?page=0&size=500'],
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
	['model', 'schedule', frequency('fortnightly'), 'Frequency “fortnightly” is not a known value'],
	['model', 'schedule', frequency('fortnightly'), 'Weekly (3)'],
	['model', 'connectors', filters({ type: 'Online' }), '/connectors'],
	['model', 'connectors', filters({ type: 'sideways' }), 'Type “sideways” is not a known value'],
	['model', 'users', { options: { parallelRequests: '8' } }, '/users'],
	['model', 'users', { options: { parallelRequests: 65 } }, 'Parallel Requests “65”'],
	['model', 'users', { options: { parallelRequests: '' } }, '/users'],
];

const dates: Row[] = [
	['person', 'uploads', completedFrom('2026-01-05 10:00:00'), '=2026-01-05T10:00:00&'],
	['program', 'uploads', completedFrom('2026-01-05T11:00:00+01:00'), '=2026-01-05T10:00:00&'],
	['program', 'uploads', completedFrom(epoch), '=2026-01-05T10:00:00&'],
	[
		'program',
		'uploads',
		filters({ createdDateFrom: '={{ DateTime.fromISO("2026-01-05T10:00:00Z") }}' }),
		'createdDateFrom=2026-01-05T10:00:00&',
	],
	['person', 'uploads', completedFrom('05.01.2026'), 'Completed From “05.01.2026” is not a date'],
	['spreadsheet', 'uploads', completedFrom(46_027), 'Completed From “46027” is not a date'],
	['program', 'schedule', { scheduleStartDate: expression(epoch) }, '"2026-01-05"'],
];

const sort = (value: unknown) => ({ sort: value as IDataObject });
const wrong = (label: string, kind: string) =>
	`${label} contains ${kind} instead of fields [item 0]`;
const collections: Row[] = [
	['program', 'uploads', filters(expression({ engagementIds: [1001] })), '?engagementId=1001&'],
	['program', 'uploads', filters(''), 'uploads?page=0'],
	['model', 'uploads', filters(json({ engagementIds: '1001' })), wrong('Filters', 'text')],
	['model', 'uploads', filters(expression(json({}))), wrong('Filters', 'text')],
	['model', 'uploads', filters('engagementIds=1001'), wrong('Filters', 'text')],
	['person', 'uploads', filters('[object Object]'), wrong('Filters', 'text')],
	['model', 'uploads', filters([]), wrong('Filters', 'a list')],
	['model', 'uploads', filters([{ engagementIds: 1001 }]), wrong('Filters', 'a list')],
	['model', 'uploads', filters(1001), wrong('Filters', 'a number')],
	['model', 'uploads', filters(true), wrong('Filters', 'a boolean')],
	['model', 'uploads', filters(expression({ engagementId: 1 })), 'no field “engagementId”'],
	['model', 'engagements', filters(expression({ name: 'A' })), 'Filters has no field “name”'],
	['model', 'connectors', filters(expression({ types: 'A' })), 'Filters has no field “types”'],
	[
		'program',
		'uploads',
		sort(
			expression({ rule: [{ field: 'uploadId', direction: 'DESC' }, { field: 'engagementId' }] }),
		),
		'orderBy=-uploadId,engagementId&',
	],
	['program', 'uploads', sort('={{ ({ rule: { field: "uploadId" } }) }}'), 'orderBy=uploadId&'],
	['model', 'uploads', sort('uploadId'), wrong('Sort', 'text')],
	['model', 'uploads', sort([{ field: 'uploadId' }]), wrong('Sort', 'a list')],
	[
		'model',
		'uploads',
		sort(expression({ rule: [{ field: 'uploadId', order: 'desc' }] })),
		'Sort has no field “order” [item 0]',
	],
	['model', 'uploads', sort(expression({ field: 'uploadId' })), 'Sort has no field “field”'],
	['program', 'uploads', { options: expression({ pageSize: '7' }), returnAll: true }, 'size=7'],
	['model', 'uploads', { options: '[]' }, wrong('Options', 'text')],
	['model', 'uploads', { options: expression({ size: 7 }) }, 'Options has no field “size”'],
	[
		'program',
		'create',
		{ additionalFields: expression({ externalEngagementId: 'CRM-77', usePassthrough: 'True' }) },
		'"externalEngagementId":"CRM-77","usePassthrough":true',
	],
	['model', 'create', { additionalFields: '7' }, wrong('Additional Fields', 'text')],
	[
		'person',
		'create',
		{ additionalFields: { returnExisting: true } },
		'External Engagement ID is empty [item 0]',
	],
	[
		'program',
		'create',
		{
			additionalFields: { externalEngagementId: 'A', usePortal: true },
			options: {
				customBody: { sme: { country: 'GB' }, externalEngagementId: 'B' },
				customQuery: { usePortal: false },
			},
		},
		'usePortal=false {"sme":{"name":"Elder & Co","country":"GB"},"externalEngagementId":"B"}',
	],
	[
		'model',
		'create',
		{ additionalFields: expression({ email: 'a@example.com' }) },
		'Additional Fields has no field “email” [item 0]',
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
	...expressions,
].map(([author, operation, written, result]) => ({ author, operation, written, result }));
