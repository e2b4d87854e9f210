import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { errorText, linesOf, outputOf, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;
let uploads: string[];

useService(beforeAll, async () => ({ service, uploads } = await smallWorld()));

/** Values from earlier nodes. */
const item = (): IDataObject => ({
	engagementId: 1001,
	externalEngagementId: 'CRM-1',
	uploadId: uploads[0],
	connectorName: 'cloudbooks',
	connectorId: 11,
	ids: [1001, '1002'],
	records: [{ engagementId: 1001 }, { engagementId: 1002 }],
});

const rl = (mode: string, value: string) => ({ __rl: true, mode, value });

/** The requests that an operation sends when it gets this value from the item. */
async function sentFor(parameters: IDataObject): Promise<string[]> {
	await outputOf(service, parameters, [item()]);
	return linesOf(service);
}

describe.each(['ids', 'records'])('Engagement IDs from “%s”', (name) => {
	const ids = `={{ $json.${name} }}`;

	it('select the last uploads', async () => {
		const sent = await sentFor({ resource: 'upload', operation: 'getLast', engagementIds: ids });
		expect(sent).toEqual([expect.stringContaining('engagementIds=1001,1002&')]);
	});

	it('work as a filter', async () => {
		const filters = { engagementIds: ids };
		const sent = await sentFor({ resource: 'upload', operation: 'getAll', filters });
		expect(sent).toEqual([expect.stringContaining('engagementId=1001,1002&')]);
	});
});

it('an engagement can be given as a whole item, by its ID or external ID', async () => {
	const company = (mode: string) => ({
		resource: 'company',
		operation: 'get',
		engagementId: rl(mode, '={{ $json }}'),
	});
	const details = 'GET /v1/engagements/1001/companyDetails';
	expect(await sentFor(company('id'))).toEqual([details]);
	expect(await sentFor(company('externalId'))).toEqual([
		expect.stringContaining('externalEngagementId=CRM-1&'),
		details,
	]);
});

it('external IDs can be given as whole records', async () => {
	const filters = {
		externalEngagementIds: '={{ [$json, { externalEngagementId: "CRM-2" }] }}',
	};
	const sent = await sentFor({ resource: 'engagement', operation: 'getAll', filters });
	expect(sent).toEqual([expect.stringContaining('externalEngagementId=CRM-1,CRM-2&')]);
});

it.each([
	['name', '={{ $json }}'],
	['name', '={{ $json.connectorName }}'],
	['id', '={{ $json }}'],
	['id', '={{ $json.connectorId }}'],
])('a connector by %s can be given as %s', async (mode, value) => {
	const sent = await sentFor({
		resource: 'upload',
		operation: 'start',
		engagementId: rl('id', '={{ $json.engagementId }}'),
		connectorName: rl(mode, value),
	});
	expect(sent.at(-1)).toBe('POST /v1/engagements/1001/connectors/cloudbooks/upload');
});

it('an upload can be given as a whole item', async () => {
	const sent = await sentFor({
		resource: 'upload',
		operation: 'getWorkflow',
		engagementId: rl('id', '={{ $json }}'),
		uploadId: '={{ $json }}',
	});
	expect(sent).toEqual([`GET /v1/workflows/engagements/1001/uploads/${uploads[0]}`]);
});

it.each([
	['company', 'get', { engagementId: rl('id', '={{ ({ name: "x" }) }}') }, 'Engagement'],
	['upload', 'getLast', { engagementIds: '={{ [{ id: 1001 }] }}' }, 'Engagement IDs'],
])('%s %s rejects what contains no ID: %j', async (resource, operation, fields, named) => {
	const result = await run(service, { resource, operation, ...fields });
	expect(errorText(result)).toContain(named);
	expect(linesOf(service)).toEqual([]);
});
