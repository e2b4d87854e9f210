/** Which engagement or upload an ID means. */
import {
	errorText,
	onErrorContinue,
	readOutput,
	run,
	service,
	toJson,
} from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const get = {
	...{ resource: 'engagement', operation: 'get' },
	engagementId: { __rl: true, mode: 'externalId', value: '={{ $json.id }}' },
};
/** The service sends this list, whatever it is asked for. */
const send = (content: object[], pages: object = { last: true }) =>
	service.fail({}, { kind: 'status', status: 200, body: { content, ...pages } });

it('an external ID is sent and found as it is, but trimmed and with accented letters in one spelling', async () => {
	send(['m\u00fcller', 'M\u00fcller'].map((each, Id) => ({ Id, externalEngagementId: each })));
	const items = ['Mu\u0308ller ', 'M\u00dcLLER'].map((id) => ({ id }));
	const result = await run(service, get, items, onErrorContinue);
	expect(toJson(result.items)).toEqual([
		expect.objectContaining({ engagementId: 1 }),
		{ error: expect.stringContaining('No engagement has') },
	]);
	const [{ query } = {}] = service.requests;
	expect(query?.externalEngagementId).toBe('M\u00fcller,M\u00dcLLER');
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
	expect(errorText(await run(service, get, [{ id }]))).toMatch(message);
	expect(service.requests).toHaveLength(1);
});

it('no secret is shown that the service sends as an ID', async () => {
	const ids = [service.accessToken, `${service.accessToken}2`];
	send(ids.map((Id) => ({ Id, externalEngagementId: 'A' })));
	// The engine of the tests fails if the token appears.
	expect(errorText(await run(service, get, [{ id: 'A' }]))).toContain('***');
});

it.each(['1001.0', ' 1001 '])('n8n runs the node with the engagement ID “%s”', async (value) => {
	const engagementId = { __rl: true, mode: 'id', value };
	const company = { resource: 'company', operation: 'get', engagementId };
	expect(await readOutput(service, company)).toMatchObject([{ engagementId: 1001 }]);
});

it('engagements by ID are sought in the list until all are found, once for all items', async () => {
	Object.assign(service.settings, { pageFields: 'lastOnly', maxPageSize: 1 });
	const items = [{ id: 1002 }, { id: 1001 }, { id: 1002 }];
	const records = await readOutput(service, { ...get, engagementId: '={{ $json.id }}' }, items);
	expect(records.map(({ engagementId }) => engagementId)).toEqual([1002, 1001, 1002]);
	expect(service.requests.map(({ query }) => query.page)).toEqual(['0', '1']);
});

it('an upload is found among others, and sought no further; none is an error of that item', async () => {
	const [uploadId, other] = service.model.uploads.all.map((each) => each.uploadId);
	const none = '00000000-0000-4000-8000-000000000000';
	const upload = { resource: 'upload', operation: 'get', uploadId: '={{ $json.id }}' };
	send([{ uploadId: other }, { uploadId }], { totalPages: 3 });
	expect(await readOutput(service, upload, [{ id: uploadId }])).toMatchObject([{ uploadId }]);
	expect(service.requests).toHaveLength(1);
	const { items } = await run(service, upload, [{ id: other }, { id: none }], onErrorContinue);
	expect(toJson(items)).toEqual([
		expect.objectContaining({ uploadId: other }),
		{ error: expect.stringContaining(`No upload has the ID “${none}” [item 1]`) },
	]);
});
