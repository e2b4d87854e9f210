/** External engagement IDs: which engagement one of them means, and uploads filtered by them. */
import type { IDataObject } from 'n8n-workflow';

import { jsonOf, linesOf, outputOf, run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { simRequest } from '../support/service/request.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { create, postsOf } from './writing.mts';

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));

const onErrorContinue = { onError: 'continueRegularOutput' } as const;
const get = (options: IDataObject = {}) => ({
	resource: 'engagement',
	operation: 'get',
	engagementId: { __rl: true, mode: 'externalId', value: '={{ $json.id }}' },
	options,
});

/** The engagements found, or that there is none. */
async function find(...ids: string[]) {
	const items = ids.map((id) => ({ id }));
	const result = await run(service, get(), items, onErrorContinue);
	return jsonOf(result.items).map(({ engagementId, error }) =>
		/No engagement has/.test(String(error)) ? 'none' : (engagementId ?? error),
	);
}

/** The service then looks for external IDs without regard to case. */
function ignoreCase() {
	const handle = service.handle.bind(service);
	service.handle = (request) => {
		const { method, url, headers } = request;
		const all = url.replace(/externalEngagementId=[^&]*&/, '');
		return handle(request.method === 'GET' ? simRequest(method, all, headers) : request);
	};
}

describe('a service that ignores case', () => {
	beforeEach(ignoreCase);

	it('finds the only engagement that has the ID in another case', async () => {
		expect(await find('crm-1', 'CRM-2')).toEqual([1001, 1002]);
	});

	it('is believed only for the exact ID if both spellings are in the run', async () => {
		expect(await find('crm-1', 'CRM-1', 'crm-2')).toEqual(['none', 1001, 1002]);
	});

	it('does not decide between two in other cases', async () => {
		service.model.addEngagement({ id: 7, externalEngagementId: 'Crm-1' });
		expect(await find('crm-1')).toEqual(['none']);
		expect(await find('CRM-1', 'Crm-1')).toEqual([1001, 7]);
	});

	it('lets Return Existing create one for each spelling in the run', async () => {
		const each = create(
			{ externalEngagementId: '={{ $json.id }}', returnExisting: true },
			{},
			'New',
		);
		const items = ['crm-1', 'CRM-1', 'new', 'NEW', 'new'].map((id) => ({ id }));
		const records = await outputOf(service, each, items);
		const ids = records.map(({ engagementId }) => engagementId);
		expect(ids).toEqual([1004, 1001, 1005, 1006, 1005]);
		expect(postsOf(service)).toHaveLength(3);
	});

	it('does not find the other spelling when the node runs again', async () => {
		const given = {
			...{ resource: 'dataRefresh', operation: 'run', connectorName: 'cloudbooks' },
			engagementId: get().engagementId,
		};
		// n8n runs the node again since the first item failed; the second is done by then.
		const items = ['crm-1', 'CRM-1'].map((id) => ({ id }));
		const result = await run(service, given, items, { ...onErrorContinue, maxTries: 2 });
		expect(jsonOf(result.items)).toEqual([
			{ error: expect.stringContaining('No engagement has') },
			expect.objectContaining({ engagementId: 1001 }),
		]);
		expect(linesOf(service).filter((line) => line.includes('/engagements?'))).toHaveLength(2);
		expect(postsOf(service)).toHaveLength(1);
	});
});

it('the options of Engagement > Get are sent with the lookup', async () => {
	service.settings.extraQuery = ['trace'];
	const options = { customQuery: '={{ { trace: $json.trace } }}' };
	const items = [
		{ id: 'CRM-1', trace: 'a' },
		{ id: 'CRM-2', trace: 'b' },
	];
	expect(await outputOf(service, get(options), items)).toMatchObject([
		{ engagementId: 1001 },
		{ engagementId: 1002 },
	]);
	const path = `GET /v1/clients/${service.clientId}/engagements?externalEngagementId=`;
	expect(linesOf(service)).toEqual([
		`${path}CRM-1&trace=a&page=0&size=100`,
		`${path}CRM-2&trace=b&page=0&size=100`,
	]);
});

describe('uploads', () => {
	const uploads = (filters: IDataObject, limit = 50) =>
		outputOf(service, { resource: 'upload', operation: 'getAll', limit, filters });

	it.each(['CRM-2', 'crm-2; none', ['CRM-2'], '["CRM-2"]'])(
		'are filtered by the external ID %j, among what the service returns',
		async (externalEngagementIds) => {
			const records = await uploads({ externalEngagementIds }, 1);
			expect(records.map(({ engagementId }) => engagementId)).toEqual([1002]);
			expect(service.requests.at(-1)?.query).toEqual({ page: '0', size: '500' });
		},
	);

	it('of a customer whose external ID has a space are found', async () => {
		service.model.updateEngagement(1001, { externalEngagementId: 'CUST 042' });
		service.model.updateEngagement(1002, { externalEngagementId: '042' });
		const records = await uploads({ externalEngagementIds: 'CUST 042' });
		expect(records.map(({ engagementId }) => engagementId)).toEqual([1001]);
	});
});

it('an external ID with a space is one ID in the engagement list, too', async () => {
	service.model.updateEngagement(1001, { externalEngagementId: 'CUST 042' });
	const filters = { externalEngagementIds: 'CUST 042' };
	const records = await outputOf(service, { resource: 'engagement', operation: 'getAll', filters });
	expect(records).toMatchObject([{ engagementId: 1001 }]);
	expect(service.requests[0]?.query.externalEngagementId).toBe('CUST 042');
});
