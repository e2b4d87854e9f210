/** Connector, and single engagements and uploads: how one record is found. */
import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { onErrorContinue, readOutput, run, toJson, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;
let uploads: string[];

useService(beforeAll, async () => ({ service, uploads } = await smallWorld()));

it('a connector by ID is looked up in the connector list, once', async () => {
	const list = {
		...{ resource: 'upload', operation: 'getAll', source: 'connector', engagementId: 1001 },
		connectorName: { __rl: true, mode: 'id', value: '12' },
	};
	await run(service, list, [{}, {}, {}]);
	const path = '/v1/engagements/1001/connectors/desk-ledger/uploads';
	const asked = service.requests.map((request) => request.path);
	expect(asked).toEqual([`/v1/clients/${service.clientId}/connectors`, path, path, path]);
});

describe('Engagement > Get', () => {
	const get = (options: IDataObject = {}): IDataObject => ({
		resource: 'engagement',
		operation: 'get',
		engagementId: '={{ $json.id }}',
		options,
	});

	it('by ID reads the list until all are found, once for all items', async () => {
		service.settings.pageFields = 'lastOnly';
		const items = [{ id: 1003 }, { id: 1001 }, { id: 1003 }];
		const records = await readOutput(service, get({ pageSize: 1 }), items);
		expect(records.map(({ engagementId }) => engagementId)).toEqual([1003, 1001, 1003]);
		expect(service.requests.map(({ query }) => query.page)).toEqual(['0', '1', '2']);
		service.settings.pageFields = 'spring';
	});
});

describe('Upload > Get', () => {
	const get = { resource: 'upload', operation: 'get', uploadId: '={{ $json.id }}' };
	const none = '00000000-0000-4000-8000-000000000000';

	it('asks for each upload; one that there is not is an error of that item', async () => {
		const ids = [uploads[1], none, uploads[0]].map((id) => ({ id }));
		const { items } = await run(service, get, ids as IDataObject[], onErrorContinue);
		expect(toJson(items)).toEqual([
			expect.objectContaining({ uploadId: uploads[1], engagementId: 1002 }),
			{ error: expect.stringContaining(`No upload has the ID “${none}” [item 1]`) },
			expect.objectContaining({ uploadId: uploads[0], engagementId: 1001 }),
		]);
		expect(service.requests).toHaveLength(3);
	});
});
