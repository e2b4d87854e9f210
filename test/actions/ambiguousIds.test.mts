/**
 * IDs that can be read in two ways, as spreadsheets print them: refused in every field, before anything
 * is sent. test/values/readers.mts has the forms.
 */
import type { IDataObject } from 'n8n-workflow';

import { errorText, linesOf, run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));
beforeAll(() => {
	// What a wrong guess would reach.
	for (const id of [1, 12]) service.model.addEngagement({ id });
	service.model.addConnector({ id: '1', name: 'other' });
});

const rl = (mode: string) => ({ __rl: true, mode, value: '={{ $json.id }}' }) as IDataObject;
const id = '={{ $json.id }}';

/** By label: an operation with the ID in one of its fields. */
const fields: Record<string, IDataObject> = {
	Engagement: { resource: 'company', operation: 'get', engagementId: rl('id') },
	'Engagement from the list': { resource: 'company', operation: 'get', engagementId: rl('list') },
	'Engagement of a refresh': {
		...{ resource: 'dataRefresh', operation: 'run', engagementId: rl('id') },
		connectorName: 'cloudbooks',
	},
	'Engagement of one to get': { resource: 'engagement', operation: 'get', engagementId: rl('id') },
	'Connector (By ID)': {
		...{ resource: 'dataRefresh', operation: 'run', engagementId: 1001 },
		connectorName: rl('id'),
	},
	'Connector Names or IDs': {
		...{ resource: 'upload', operation: 'getAll' },
		filters: { connectorNames: id },
	},
	'Upload ID': { resource: 'upload', operation: 'get', uploadId: id },
	'Upload ID of a filter': {
		...{ resource: 'upload', operation: 'getAll' },
		filters: { uploadId: id },
	},
	'Engagement IDs': { resource: 'upload', operation: 'getLast', engagementIds: id },
	'Engagement IDs of a filter': {
		...{ resource: 'upload', operation: 'getAll' },
		filters: { engagementIds: id },
	},
};

it.each(Object.entries(fields))('%s is refused, naming field and item', async (name, given) => {
	const [label = ''] = name.split(/ (?:of|from) /);
	const others = label === 'Engagement IDs' ? ['1,001', '1 001'] : [];
	for (const ambiguous of ['1.000', ' 12.000 ', ...others]) {
		const text = errorText(await run(service, given, [{ id: ambiguous }]));
		expect(text).toMatch(label);
		expect(text).toMatch(/can be read (as 12? or as 12?000|in two ways) \[item 0\]/);
		expect(linesOf(service)).toEqual([]);
	}
});
