import type { IDataObject } from 'n8n-workflow';

import { onlyRequest, outputOf, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));

const start = async (over: IDataObject = {}) =>
	await outputOf(service, {
		resource: 'upload',
		operation: 'start',
		engagementId: 1001,
		connectorName: 'cloudbooks',
		...over,
	});

it('an empty Custom Body is no body', async () => {
	await start({ options: { customBody: '{}' } });
	const { headers, body } = onlyRequest(service);
	expect(headers).not.toHaveProperty('content-type');
	expect(body).toBeUndefined();
});

it.each([
	[{ type: 'DOWNLOAD', redirectUrl: 'https://a', acmeClientUrl: 'https://b' }, 'https://b'],
	[{ type: 'REDIRECT', redirectUrl: 'https://a', acmeClientUrl: 'https://b' }, 'https://a'],
	[{ type: 'REDIRECT', url: 'https://a' }, 'https://a'],
	[{ type: 'DOWNLOAD', acmeClientUrl: 'null', url: 'https://a' }, 'https://a'],
	[{ type: 'REDIRECT', url: 'null' }, null],
])('takes the address for the customer from %j', async (body, url) => {
	service.fail({}, { kind: 'status', status: 200, body });
	expect(await start()).toMatchObject([{ url }]);
});
