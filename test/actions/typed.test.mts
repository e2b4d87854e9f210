/**
 * What people, spreadsheets, AI models and programs enter, beyond the values of single fields
 * (test/values, wrongInput.test.mts): it is understood, or an error names the field and
 * the item.
 */
import type { IDataObject } from 'n8n-workflow';

import { errorText, requestLines, run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';

/** Operation, value, and part of the last request or of the error. */
type Row = [operation: string, entered: IDataObject, result: string];

/** The operations, by their names in the rows. */
const operations: Record<string, IDataObject> = {
	company: { resource: 'company', operation: 'get' },
	create: { resource: 'engagement', operation: 'create', name: 'Elder & Co' },
	engagements: { resource: 'engagement', operation: 'getAll' },
	schedule: {
		resource: 'dataRefresh',
		operation: 'schedule',
		engagementId: 1001,
		scheduleStartDate: '2026-12-01',
	},
	start: { resource: 'upload', operation: 'start', engagementId: 1001 },
	uploads: { resource: 'upload', operation: 'getAll' },
};

const expression = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
const filters = (given: IDataObject) => ({ filters: given });

const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value }) as IDataObject;
/** A whole record, dragged from an earlier node. */
const dragged = expression({
	engagementId: 1001,
	externalEngagementId: 'CRM-1',
	connectorName: 'cloudbooks',
	connectorId: 11,
});

const ids: Row[] = [
	...[
		...[locator('list', '1001'), locator('id', '1001.0'), locator('id', dragged)],
		...[locator('externalId', 'CRM-1'), locator('externalId', dragged)],
	].map((engagementId): Row => ['company', { engagementId }, '/engagements/1001/company']),
	['start', { connectorName: locator('name', dragged) }, '/cloudbooks/'],
	...['11.0', ' 011 ', dragged, '\u200bcloud books '].map(
		(id): Row => ['start', { connectorName: locator('id', id) }, '/cloudbooks/upload'],
	),
	['company', { engagementId: 'CUSTOMER-42' }, 'or set it to By External ID'],
	[
		'engagements',
		filters({ externalEngagementIds: expression([{ externalEngagementId: 'CRM-1' }, 'C 2']) }),
		'externalEngagementId=CRM-1,C%202&',
	],
];

const scalars: Row[] = [
	// A limit that is hidden is not read.
	['engagements', { returnAll: expression('True'), limit: 0 }, 'engagements?page=0&size=500'],
	...['False', null].map(
		(value): Row => ['engagements', { returnAll: value, limit: 1 }, 'engagements?page=0&size=1'],
	),
	['schedule', { scheduleFrequency: 'weekly' }, '"scheduleFrequency":"3"'],
	[
		'start',
		{ connectorName: 'cloudbooks', scopeName: expression('Ledger') },
		'upload?scopeName=Ledger ',
	],
	[
		'uploads',
		filters({ createdDateFrom: '={{ DateTime.fromISO("2026-01-05T10:00:00Z") }}' }),
		'createdDateFrom=2026-01-05T10:00:00&',
	],
];

const collections: Row[] = [
	[
		'uploads',
		{ sort: { rule: [{ field: 'uploadId', direction: 'DESC' }, { field: 'engagementId' }] } },
		'orderBy=-uploadId,engagementId&',
	],
	[
		'create',
		{ additionalFields: { returnExisting: true } },
		'External Engagement ID is empty [item 0]',
	],
	[
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
];

const failing = '={{ $("Nowhere").item.json.id }}';
const expressions: Row[] = [
	['company', { engagementId: failing }, "Referenced node doesn't exist [item 0]"],
	['uploads', filters({ uploadId: failing }), 'Upload ID could not be evaluated: '],
];

const rows = [...ids, ...scalars, ...collections, ...expressions].map(
	([operation, entered, result]) => ({ operation, entered, result }),
);

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));
beforeAll(() => {
	service.settings.extraBody = ['sme.country'];
	service.model.findConnector('cloudbooks')?.scopes.push('Ledger');
});

it.each(rows)('$operation with $entered: $result', async ({ operation, entered, result }) => {
	const outcome = await run(service, { ...operations[operation], ...entered });
	if (outcome.error !== undefined) {
		expect(errorText(outcome)).toContain(result);
		expect(requestLines(service)).toEqual([]);
		return;
	}
	const { method, url, body } = service.requests.at(-1) ?? {};
	expect(`${method} ${url} ${JSON.stringify(body ?? '')}`).toContain(result);
});
