/** Filters without a value: they match everything, and a hint says so where an expression left them empty. */
import type { IDataObject } from 'n8n-workflow';

import { jsonOf, run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { hintsOf } from './writing.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));

const list = (resource: string, filters: IDataObject) => ({
	...{ resource, operation: 'getAll', filters },
});

/** Each filter, by its label, filled in by an expression. */
const filters = [
	['External Engagement IDs', list('engagement', { externalEngagementIds: '={{ $json.value }}' })],
	['Refreshable', list('engagement', { refreshable: '={{ $json.value }}' })],
	['Type', list('connector', { type: '={{ $json.value }}' })],
	...(
		[
			['Completed From', 'completedDateFrom'],
			['Completed To', 'completedDateTo'],
			['Connector Names or IDs', 'connectorNames'],
			['Created From', 'createdDateFrom'],
			['Engagement IDs', 'engagementIds'],
			['External Engagement IDs', 'externalEngagementIds'],
			['Upload ID', 'uploadId'],
			['Upload Statuses', 'uploadStatuses'],
		] as const
	).map(([label, name]) => [label, list('upload', { [name]: '={{ $json.value }}' })] as const),
	[
		'Data Statuses',
		{ resource: 'engagement', operation: 'getStatus', dataStatuses: '={{ $json.value }}' },
	],
] as const;

const nothing = ['', null, [], {}, 'null', 'undefined', ' NULL '];

it.each(filters)('%s without a value is no filter, and a hint says so', async (label, given) => {
	for (const value of nothing) {
		const without = await run(service, { ...given, filters: {}, dataStatuses: [] });
		const asked = service.requests.map(({ url }) => url);
		const result = await run(service, given, [{ value: value as IDataObject }]);
		expect(jsonOf(result.items)).toEqual(jsonOf(without.items));
		expect(service.requests.map(({ url }) => url)).toEqual(asked);
		expect(hintsOf(result)).toEqual([
			`An expression left ${label} empty. An empty filter is not applied, so all records were returned.`,
		]);
	}
});

it('one hint names all filters, however many items there are', async () => {
	const given = list('upload', {
		engagementIds: '={{ $json.id }}',
		uploadId: '={{ $json.upload }}',
	});
	const result = await run(service, given, [{ id: 1001 }, {}, {}]);
	expect(hintsOf(result)).toEqual([
		'An expression left Upload ID, Engagement IDs empty. An empty filter is not applied, so all records were returned.',
	]);
});

it.each([
	list('upload', { engagementIds: '', uploadStatuses: [], uploadId: 'null' }),
	list('upload', { engagementIds: '={{ 1001 }}' }),
])('there is no hint without such an expression: %j', async (given) => {
	const result = await run(service, given);
	expect(result.items).not.toEqual([]);
	expect(hintsOf(result)).toEqual([]);
});
