/** Which engagement, connector or upload an ID means. */
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
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const uploadIds = () => service.model.uploads.all.map(({ uploadId }) => uploadId);

const get = () => ({
	resource: 'engagement',
	operation: 'get',
	engagementId: { __rl: true, mode: 'externalId', value: '={{ $json.id }}' },
});

it('external IDs are looked up in one request', async () => {
	const records = await readOutput(service, get(), [{ id: 'CRM-1' }, { id: 'CRM-2' }]);
	expect(records).toMatchObject([{ engagementId: 1001 }, { engagementId: 1002 }]);
	const path = `/v1/clients/${service.clientId}/engagements`;
	expect(requestLines(service)).toEqual([
		`GET ${path}?externalEngagementId=CRM-1,CRM-2&page=0&size=500`,
	]);
});

it.each([
	[
		'none',
		'CRM-99',
		/^No engagement has the External Engagement ID “CRM-99” .*set Engagement to By ID$/,
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

it('n8n runs the node with an engagement ID in each form that the field can read', async () => {
	for (const value of ['1001.0', ' 1001 ']) {
		const engagementId = { __rl: true, mode: 'id', value };
		const company = { resource: 'company', operation: 'get', engagementId };
		expect(await readOutput(service, company)).toMatchObject([{ engagementId: 1001 }]);
	}
});

it('engagements by ID are sought in the list until all are found, once for all items', async () => {
	service.settings.pageFields = 'lastOnly';
	const items = [{ id: 1003 }, { id: 1001 }, { id: 1003 }];
	service.settings.maxPageSize = 1;
	const byId = { ...get(), engagementId: '={{ $json.id }}' };
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
