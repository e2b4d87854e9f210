import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { jsonOf, linesOf, outputOf, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;
let uploads: string[];

useService(beforeAll, async () => ({ service, uploads } = await smallWorld()));

const client = () => `/v1/clients/${service.clientId}`;

describe('connector.getAll', () => {
	const names = async (filters: IDataObject, more: IDataObject = {}) => {
		const parameters = { resource: 'connector', operation: 'getAll', filters, ...more };
		return (await outputOf(service, parameters)).map(({ name }) => name);
	};

	it('filters by type and by data refresh', async () => {
		expect(await names({})).toEqual(['cloudbooks', 'desk-ledger', 'paper']);
		expect(await names({ type: 'online' })).toEqual(['cloudbooks', 'paper']);
		expect(await names({ type: 'offline' })).toEqual(['desk-ledger']);
		expect(await names({ refreshable: true })).toEqual(['cloudbooks']);
		expect(await names({ refreshable: false })).toEqual(['desk-ledger', 'paper']);
		expect(await names({ type: 'online', refreshable: false })).toEqual(['paper']);
		expect(await names({ type: '' })).toHaveLength(3);
		expect(linesOf(service)).toEqual([`GET ${client()}/connectors`]);
	});

	it('applies the limit after the filter', async () => {
		expect(await names({ refreshable: false }, { limit: 1 })).toEqual(['desk-ledger']);
	});
});

describe('upload.getWorkflow with Split Steps', () => {
	it.each(['no', 'False', 0, ''])('returns the chosen fields if it is %j', async (splitSteps) => {
		const parameters = {
			resource: 'upload',
			operation: 'getWorkflow',
			engagementId: 1001,
			uploadId: uploads[0],
			splitSteps,
			output: 'selectedFields',
			fields: 'uploadId',
		};
		expect(await outputOf(service, parameters)).toEqual([{ uploadId: uploads[0] }]);
	});

	it('returns one item per step in the order of the process', async () => {
		const parameters = {
			resource: 'upload',
			operation: 'getWorkflow',
			engagementId: 1001,
			uploadId: uploads[0],
			splitSteps: true,
			output: 'raw',
		};
		const raw = service.ask('GET', `/v1/workflows/engagements/1001/uploads/${uploads[0]}`).body;
		const { steps } = raw as { steps: IDataObject[] };
		const shuffled = { ...Object(raw), steps: [...steps].reverse() };
		service.fail({}, { kind: 'status', status: 200, body: shuffled });
		const { items } = await run(service, parameters);
		expect(jsonOf(items)).toEqual(
			steps.map(({ name }) =>
				expect.objectContaining({ name, uploadId: uploads[0], engagementId: 1001 }),
			),
		);
	});
});
