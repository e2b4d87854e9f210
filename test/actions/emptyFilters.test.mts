/** Filters without a value: they match everything, and a hint says so where an expression left them empty. */
import type { IDataObject } from 'n8n-workflow';

import { toJson, run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { listHints } from './writing.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));

const VALUE = '={{ $json.value }}';
const list = (resource: string, filters: IDataObject) => ({
	...{ resource, operation: 'getAll', filters },
});
const hint = (labels: string) =>
	`An expression left ${labels} empty. An empty filter is not applied, so all records were returned.`;

/** Each kind of filter, by its label, filled in by an expression. */
const filters: Record<string, IDataObject> = {
	'External Engagement IDs': list('engagement', { externalEngagementIds: VALUE }),
	Refreshable: list('engagement', { refreshable: VALUE }),
	Type: list('connector', { type: VALUE }),
	'Completed To': list('upload', { completedDateTo: VALUE }),
	'Connector Names or IDs': list('upload', { connectorNames: VALUE }),
	'Created From': list('upload', { createdDateFrom: VALUE }),
	'Engagement IDs': list('upload', { engagementIds: VALUE }),
	Outcome: list('upload', { outcomes: VALUE }),
	'Upload ID': list('upload', { uploadId: VALUE }),
	'Upload Statuses': list('upload', { uploadStatuses: VALUE }),
	'Data Statuses': { resource: 'engagement', operation: 'getStatus', dataStatuses: VALUE },
};

it.each(Object.entries(filters))('%s without a value is no filter', async (label, given) => {
	const without = await run(service, { ...given, filters: {}, dataStatuses: [] });
	const asked = service.requests.map(({ url }) => url);
	for (const value of ['', null, [], {}, 'null', 'undefined', ' NULL ']) {
		const result = await run(service, given, [{ value: value as IDataObject }]);
		expect(toJson(result.items)).toEqual(toJson(without.items));
		expect(service.requests.map(({ url }) => url)).toEqual(asked);
		expect(listHints(result)).toEqual([hint(label)]);
	}
});

it('one hint names all filters, however many items there are', async () => {
	const given = list('upload', { engagementIds: '={{ $json.id }}', uploadId: VALUE });
	const result = await run(service, given, [{ id: 1001 }, {}, {}]);
	expect(listHints(result)).toEqual([hint('Upload ID, Engagement IDs')]);
});

it('there is no hint without such an expression', async () => {
	const empty = list('upload', { engagementIds: '={{ 1001 }}', uploadStatuses: [], uploadId: '' });
	const result = await run(service, empty);
	expect(result.items).toHaveLength(1);
	expect(listHints(result)).toEqual([]);
});
