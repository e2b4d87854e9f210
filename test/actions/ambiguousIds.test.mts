/** IDs that can be read in two ways, as spreadsheets print them: refused in every field, before anything is sent. */
import type { IDataObject } from 'n8n-workflow';

import { errorText, linesOf, outputOf, run, useService } from '../support/runs.mts';
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

it.each(Object.entries(fields))('%s refuses 1.000, naming field and item', async (name, given) => {
	const [label = ''] = name.split(/ (?:of|from) /);
	for (const ambiguous of ['1.000', ' 12.000 ']) {
		const result = await run(service, given, [{ id: ambiguous }]);
		const text = errorText(result);
		expect(text).toMatch(label);
		expect(text).toMatch(/\[item 0\]/);
		expect(text).toMatch(/can be read (as 12? or as 12?000|in two ways)/);
		expect(linesOf(service)).toEqual([]);
	}
});

const lists = Object.entries(fields).filter(([label]) => label.startsWith('Engagement IDs'));

describe.each(lists)('%s', (_, given) => {
	it.each(['1,001', '1 001', '1\u00a0001', '12,034', '1001; 1,002', '1,001,002', ['1,001']])(
		'refuses %j',
		async (ambiguous) => {
			const result = await run(service, given, [{ id: ambiguous }]);
			expect(errorText(result)).toMatch(/Engagement IDs.*\[item 0\].*Enter/);
			expect(linesOf(service)).toEqual([]);
		},
	);

	it.each<[entered: unknown, sent: string]>([
		['1001.0', '1001'],
		[' 01001 ', '1001'],
		['1001 1002', '1001,1002'],
		['1;002', '1,2'],
		['001,012', '1,12'],
		[1001, '1001'],
	])('reads %j as %s', async (entered, sent) => {
		await outputOf(service, given, [{ id: entered as string }]);
		const { engagementId, engagementIds = engagementId } = service.requests[0]?.query ?? {};
		expect(engagementIds).toBe(sent);
	});
});

it.each(['1001.0', ' 01001 ', '1001.000', 1001])('one engagement is %j', async (entered) => {
	await outputOf(service, fields.Engagement ?? {}, [{ id: entered }]);
	expect(linesOf(service)).toEqual(['GET /v1/engagements/1001/companyDetails']);
});
