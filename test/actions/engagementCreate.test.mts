import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { linesOf, onlyRequest, outputOf, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));

const parameters = (additionalFields: IDataObject = {}, over: IDataObject = {}) => ({
	resource: 'engagement',
	operation: 'create',
	name: 'Dunmore Studios',
	additionalFields,
	...over,
});
const path = () => `/v1/clients/${service.clientId}/engagements`;

it('returns the contact as the owner, as in listed engagements', async () => {
	const [created] = await outputOf(service, parameters({ contactEmail: 'ada@example.com' }));
	expect(created).toMatchObject({ engagementId: 1004, ownerEmail: 'ada@example.com' });
});

it('merges Custom Body deeply, with precedence', async () => {
	service.settings.extraBody = ['sme.country', 'tags'];
	const customBody = { sme: { country: 'GB' }, externalEngagementId: 'B', tags: ['x'] };
	const fields = { externalEngagementId: 'A' };
	await outputOf(service, parameters(fields, { options: { customBody } }));
	expect(onlyRequest(service).body).toEqual({
		sme: { name: 'Dunmore Studios', country: 'GB' },
		externalEngagementId: 'B',
		tags: ['x'],
	});
});

it('gives Custom Query precedence', async () => {
	service.settings.extraQuery = ['trace'];
	const options = { customQuery: '{"usePortal": false, "trace": 1}' };
	await outputOf(service, parameters({ usePortal: true }, { options }));
	expect(onlyRequest(service).query).toEqual({ usePortal: 'false', trace: '1' });
});

describe('Return Existing', () => {
	it('returns the existing engagement instead of creating one', async () => {
		const existing = parameters({ externalEngagementId: 'CRM-2', returnExisting: true });
		expect(await outputOf(service, existing)).toMatchObject([
			{ engagementId: 1002, name: 'Bramley Ltd', ownerEmail: 'owner1002@example.com' },
		]);
		expect(linesOf(service)).toEqual([`GET ${path()}?externalEngagementId=CRM-2&page=0&size=100`]);
	});

	it('requires an external ID', async () => {
		const { error } = await run(service, parameters({ returnExisting: true }));
		expect(error?.message).toContain('External Engagement ID is empty');
		expect(service.requests).toEqual([]);
	});
});
