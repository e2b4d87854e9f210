/** Which engagement, connector or upload an ID means. */
import type { IDataObject } from 'n8n-workflow';

import { makeEndpointCredential } from '../support/world/credentials.mts';
import {
	errorText,
	onErrorContinue,
	readOutput,
	requestLines,
	run,
	service,
	toJson,
} from '../support/engine/runs.mts';
import { simRequest } from '../support/service/request.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { create, listPosts } from './creates.mts';

useSmallWorld(beforeEach);

const uploadIds = () => service.model.uploads.all.map(({ uploadId }) => uploadId);

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
	return toJson(result.items).map(({ engagementId, error }) =>
		/No engagement has/.test(String(error)) ? 'none' : (engagementId ?? error),
	);
}

it('external IDs are looked up in one request, with the options of Engagement > Get', async () => {
	service.settings.extraQuery = ['trace'];
	const options = { customQuery: { trace: 'a' } };
	const records = await readOutput(service, get(options), [{ id: 'CRM-1' }, { id: 'CRM-2' }]);
	expect(records).toMatchObject([{ engagementId: 1001 }, { engagementId: 1002 }]);
	const path = `/v1/clients/${service.clientId}/engagements`;
	expect(requestLines(service)).toEqual([
		`GET ${path}?externalEngagementId=CRM-1,CRM-2&trace=a&page=0&size=100`,
	]);
});

it.each([
	[
		'none',
		'CRM-99',
		/^No engagement has the External Engagement ID “CRM-99” .* may not be listed yet$/,
	],
	['several', 'TWIN', /^2 engagements have the External Engagement ID “TWIN”: 2001, 2002/],
])('an external ID that matches %s is an error', async (_what, id, message) => {
	for (const twin of [2001, 2002])
		service.model.addEngagement({ id: twin, externalEngagementId: 'TWIN' });
	expect(errorText(await run(service, get(), [{ id }]))).toMatch(message);
	expect(service.requests).toHaveLength(1);
});

it('no secret is shown that the service sends as an ID', async () => {
	const ids = [service.accessToken, `${service.accessToken}2`];
	const content = ids.map((Id) => ({ Id, externalEngagementId: 'A' }));
	service.fail({}, { kind: 'status', status: 200, body: { content, last: true } });
	// The engine of the tests fails if the token appears.
	expect(errorText(await run(service, get(), [{ id: 'A' }]))).toContain('***');
});

it('an external ID is found if the token request contains the same number as its engagement ID', async () => {
	Object.assign(service.tokenRequestFields, { tenant: '1001' });
	const credential = makeEndpointCredential(service);
	const records = await readOutput(service, get(), [{ id: 'CRM-1' }], { credential });
	expect(records).toMatchObject([{ engagementId: 1001 }]);
});

it('an external ID is found and sent as it looks, whatever is invisible in it', async () => {
	service.model.addEngagement({ id: 7, externalEngagementId: 'M\u00fcller 1' });
	expect(await find('Mu\u0308l\u00adler\u200b 1', 'M\u00fcller\u00a01')).toEqual([7, 'none']);
	const existing = { externalEngagementId: 'Mu\u0308ller\u2060 1', returnExisting: true };
	await run(service, create(existing), [{ name: 'A customer' }]);
	expect(listPosts(service)).toEqual([]);
	await run(service, create({ externalEngagementId: 'A\u00adBe\u0301' }), [{ name: 'B' }]);
	expect(service.requests.at(-1)?.body).toMatchObject({ externalEngagementId: 'AB\u00e9' });
});

describe('in a service that ignores case, an external ID', () => {
	/** The service returns all engagements, whatever external ID is asked for. */
	beforeEach(() => {
		const handle = service.handle.bind(service);
		service.handle = (request) => {
			const { method, url, headers } = request;
			const all = url.replace(/externalEngagementId=[^&]*&/, '');
			return handle(request.method === 'GET' ? simRequest(method, all, headers) : request);
		};
	});

	it('is found in another case, if only one engagement has it', async () => {
		expect(await find('crm-1', 'CRM-2', 'CRM-9')).toEqual([1001, 1002, 'none']);
		service.model.addEngagement({ id: 7, externalEngagementId: 'Crm-1' });
		expect(await find('crm-1')).toEqual(['none']);
		expect(await find('CRM-1', 'Crm-1')).toEqual([1001, 7]);
	});

	it('is found only as it is if both spellings are in the run', async () => {
		expect(await find('crm-1', 'CRM-1', 'crm-2')).toEqual(['none', 1001, 1002]);
	});

	it('lets Return Existing create an engagement for each spelling in the run', async () => {
		const external = { externalEngagementId: '={{ $json.id }}', returnExisting: true };
		const items = ['crm-1', 'CRM-1', 'new', 'NEW', 'new'].map((id) => ({ id }));
		const records = await readOutput(service, create(external, {}, 'New'), items);
		const ids = records.map(({ engagementId }) => engagementId);
		expect(ids).toEqual([1004, 1001, 1005, 1006, 1005]);
		expect(listPosts(service)).toHaveLength(3);
	});
});

it('n8n runs the node with an engagement ID in each form that the field can read', async () => {
	for (const value of ['1001.0', ' 01001\u200b']) {
		const engagementId = { __rl: true, mode: 'id', value };
		const company = { resource: 'company', operation: 'get', engagementId };
		expect(await readOutput(service, company)).toMatchObject([{ engagementId: 1001 }]);
	}
});

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

it('engagements by ID are sought in the list until all are found, once for all items', async () => {
	service.settings.pageFields = 'lastOnly';
	const items = [{ id: 1003 }, { id: 1001 }, { id: 1003 }];
	const byId = { ...get({ pageSize: 1 }), engagementId: '={{ $json.id }}' };
	const records = await readOutput(service, byId, items);
	expect(records.map(({ engagementId }) => engagementId)).toEqual([1003, 1001, 1003]);
	expect(service.requests.map(({ query }) => query.page)).toEqual(['0', '1', '2']);
});

it('an upload is sought no further once it is found, even if the service ignores the filter', async () => {
	const [uploadId, other] = uploadIds();
	const content = [{ uploadId: other }, { uploadId }];
	service.fail({}, { kind: 'status', status: 200, body: { content, totalPages: 3 } });
	const upload = { resource: 'upload', operation: 'get', uploadId };
	expect(await readOutput(service, upload)).toMatchObject([{ uploadId }]);
	expect(service.requests).toHaveLength(1);
});

it('each upload is asked for by its ID; one that there is not is an error of that item', async () => {
	const none = '00000000-0000-4000-8000-000000000000';
	const upload = { resource: 'upload', operation: 'get', uploadId: '={{ $json.id }}' };
	const [first, second] = uploadIds();
	const ids = [second, none, first].map((id) => ({ id }));
	const { items } = await run(service, upload, ids, onErrorContinue);
	expect(toJson(items)).toEqual([
		expect.objectContaining({ uploadId: second, engagementId: 1002 }),
		{ error: expect.stringContaining(`No upload has the ID “${none}” [item 1]`) },
		expect.objectContaining({ uploadId: first, engagementId: 1001 }),
	]);
	expect(service.requests).toHaveLength(3);
});
