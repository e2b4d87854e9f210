/** A hint says which filters an expression left empty, so that they matched everything. */
import type { IDataObject } from 'n8n-workflow';

import { run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { listHints } from './writing.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));

const VALUE = '={{ $json.value }}';
const uploads = { resource: 'upload', operation: 'getAll' };
const statuses = { resource: 'engagement', operation: 'getStatus' };

it.each<[string, IDataObject, hint: string]>([
	[
		'one hint names all of them',
		{ ...uploads, filters: { engagementIds: '={{ $json.id }}', outcomes: VALUE, uploadId: VALUE } },
		'Outcome, Upload ID, Engagement IDs',
	],
	['a filter of its own', { ...statuses, dataStatuses: VALUE }, 'Data Statuses'],
])('%s, however many items there are', async (_what, given, labels) => {
	const result = await run(service, given, [{ id: 1001 }, { value: null }, { value: [] }]);
	expect(listHints(result)).toEqual([
		`An expression left ${labels} empty. An empty filter is not applied, so all records were returned.`,
	]);
});

it('there is no hint without such an expression', async () => {
	const filters = { engagementIds: '={{ 1001 }}', uploadStatuses: [], uploadId: '' };
	const result = await run(service, { ...uploads, filters });
	expect(result.items).toHaveLength(1);
	expect(listHints(result)).toEqual([]);
});
