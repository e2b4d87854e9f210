import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { jsonOf, onlyRequest, outputOf, run } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

beforeEach(async () => {
	({ service } = await smallWorld());
});

afterEach(async () => await service.close());

const client = () => `/v1/clients/${service.clientId}`;
const headers = () => ({
	authorization: `Bearer ${service.accessToken}`,
	'ocp-apim-subscription-key': service.subscriptionKey,
});
const withoutBody = () => ({ headers: expect.objectContaining(headers()), body: undefined });

describe('upload.start', () => {
	const parameters = (over: IDataObject = {}) => ({
		resource: 'upload',
		operation: 'start',
		engagementId: 1001,
		connectorName: 'cloudbooks',
		...over,
	});
	const path = '/v1/engagements/1001/connectors/cloudbooks/upload';

	it.each(['Full', 'Collateral'])('sends the scope %s', async (scopeName) => {
		await outputOf(service, parameters({ scopeName }));
		expect(onlyRequest(service).url).toBe(`${path}?scopeName=${scopeName}`);
	});

	it('sends another scope from an expression', async () => {
		service.model.addConnector({ id: '14', name: 'special', scopes: ['Stock & Sales'] });
		const scopeName = '={{ $json.scope }}';
		const { items } = await run(service, parameters({ connectorName: 'special', scopeName }), [
			{ scope: 'Stock & Sales' },
		]);
		expect(items).toHaveLength(1);
		expect(onlyRequest(service).query).toEqual({ scopeName: 'Stock & Sales' });
	});

	it('adds the address for the customer of an online connector', async () => {
		const [answer] = await outputOf(service, parameters());
		expect(answer).toEqual({
			type: 'REDIRECT',
			redirectUrl: expect.stringMatching(/^https:\/\/connect\.example\.com\/authorise\//),
			serviceClientUrl: null,
			url: answer?.redirectUrl,
			engagementId: 1001,
			connectorName: 'cloudbooks',
		});
	});

	it('adds the address for an offline connector, whatever the name of its field', async () => {
		service.settings.clientUrlField = 'acmeClientUrl';
		const [answer] = await outputOf(service, parameters({ connectorName: 'desk-ledger' }));
		expect(answer).toMatchObject({
			type: 'DOWNLOAD',
			acmeClientUrl: expect.stringMatching(/^https:\/\/connect\.example\.com\/client\//),
			url: answer?.acmeClientUrl,
			connectorName: 'desk-ledger',
		});
	});

	it('prefers the address for an offline connector to one for an online connector', async () => {
		const body = { type: 'DOWNLOAD', redirectUrl: 'https://a.example', acmeClientUrl: 'https://b' };
		service.fail({}, { kind: 'status', status: 200, body });
		expect(await outputOf(service, parameters())).toMatchObject([{ url: 'https://b' }]);
	});

	it('merges Custom Body, and sends no body without it', async () => {
		service.settings.extraBody = ['note'];
		await outputOf(service, parameters({ options: { customBody: '{"note": {"a": 1}}' } }));
		expect(onlyRequest(service).body).toEqual({ note: { a: 1 } });
	});
});

describe('dataRefresh.run', () => {
	const parameters = (over: IDataObject = {}) => ({
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: 1001,
		connectorName: 'cloudbooks',
		...over,
	});
	const path = '/v1/engagements/1001/connectors/cloudbooks/refresh';

	it.each([true, false])('says that no action is required (null as text: %s)', async (asText) => {
		service.settings.nullUrlAsText = asText;
		expect(await outputOf(service, parameters())).toEqual([
			{
				action: 'No Action Required',
				url: asText ? 'null' : null,
				engagementId: 1001,
				connectorName: 'cloudbooks',
				actionRequired: false,
			},
		]);
		expect(onlyRequest(service)).toMatchObject({ method: 'POST', url: path, ...withoutBody() });
	});

	it('says where the customer must act', async () => {
		service.model.refreshOutcomes.set(1001, 'actionRequired');
		expect(await outputOf(service, parameters())).toEqual([
			{
				action: 'Authentication Required',
				url: 'https://connect.example.com/authorise/1001',
				engagementId: 1001,
				connectorName: 'cloudbooks',
				actionRequired: true,
			},
		]);
	});

	it.each([
		['NO_ACTION_REQUIRED', null, false],
		['no action required', '', false],
		['No action is required.', null, false],
		['No Action Required', 'https://act.example.com', true],
		['Re-authenticate', null, true],
	])('interprets the action %s with the address %s', async (action, url, actionRequired) => {
		service.fail({}, { kind: 'status', status: 200, body: { action, url } });
		expect(await outputOf(service, parameters())).toMatchObject([{ actionRequired }]);
	});

	it('merges Custom Body and Custom Query', async () => {
		service.settings.extraBody = ['force'];
		service.settings.extraQuery = ['mode'];
		const options = { customBody: { force: true }, customQuery: { mode: ['a', 'b'] } };
		await outputOf(service, parameters({ options }));
		expect(onlyRequest(service)).toMatchObject({ url: `${path}?mode=a,b`, body: { force: true } });
	});
});

describe('dataRefresh.schedule', () => {
	const parameters = (over: IDataObject = {}) => ({
		resource: 'dataRefresh',
		operation: 'schedule',
		engagementId: 1001,
		scheduleStartDate: '2026-12-01',
		...over,
	});

	it.each(['1', '2', '3', '4', '5'])('sends the frequency %s', async (scheduleFrequency) => {
		expect(await outputOf(service, parameters({ scheduleFrequency }))).toEqual([
			{ action: 'NO_ACTION_REQUIRED', url: null, engagementId: 1001, actionRequired: false },
		]);
		const request = onlyRequest(service);
		expect(request).toMatchObject({
			method: 'POST',
			url: `${client()}/engagements/1001/schedule`,
			headers: { ...headers(), 'content-type': 'application/json' },
		});
		expect(request.body).toEqual({ scheduleFrequency, scheduleStartDate: '2026-12-01' });
	});

	it('ends a schedule without a date', async () => {
		const over = { scheduleFrequency: '0', scheduleStartDate: '' };
		const { error } = await run(service, parameters(over), [{}], {
			timezone: 'Pacific/Kiritimati',
		});
		expect(error).toBeUndefined();
		const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
		expect(onlyRequest(service).body).toEqual({
			scheduleFrequency: '0',
			scheduleStartDate: today,
		});
	});

	it.each([
		['2026-12-01T23:30:00'],
		['2026-12-01T23:30:00-11:00'],
		['={{ DateTime.fromISO("2026-12-01T23:30:00", { zone: "Pacific/Auckland" }) }}'],
	])('sends the calendar day as entered: %s', async (scheduleStartDate) => {
		const { error } = await run(service, parameters({ scheduleStartDate }), [{}], {
			timezone: 'Asia/Tokyo',
		});
		expect(error).toBeUndefined();
		expect(onlyRequest(service).body).toMatchObject({ scheduleStartDate: '2026-12-01' });
	});

	it('gives Custom Body precedence', async () => {
		service.settings.extraBody = ['note'];
		const options = { customBody: '{"scheduleFrequency": "4", "note": "x"}' };
		await outputOf(service, parameters({ scheduleFrequency: '3', options }));
		expect(onlyRequest(service).body).toEqual({
			scheduleFrequency: '4',
			scheduleStartDate: '2026-12-01',
			note: 'x',
		});
	});
});

describe('writes of several items', () => {
	const perItem = {
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: '={{ $json.id }}',
		connectorName: 'cloudbooks',
	};
	const items = [1001, 1002, 1003].map((id) => ({ id }));

	it('run sequentially, in order', async () => {
		service.settings.latencyMs = 10;
		const { items: results } = await run(service, perItem, items);
		expect(jsonOf(results).map(({ engagementId }) => engagementId)).toEqual([1001, 1002, 1003]);
		expect(results.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(service.mostAtOnce).toBe(1);
	});

	it('stop at the first failure, which says how many were processed', async () => {
		service.fail({ path: /1002/ }, { kind: 'status', status: 409 });
		const { error } = await run(service, perItem, items);
		expect(error?.message).toContain('1 of 3 items had already been processed');
		expect(error?.message).toContain('[item 1]');
		expect(service.requests).toHaveLength(2);
	});

	it('continue if On Error says so', async () => {
		service.fail({ path: /1002/ }, { kind: 'status', status: 409 });
		const { items: results } = await run(service, perItem, items, {
			onError: 'continueRegularOutput',
		});
		expect(service.requests).toHaveLength(3);
		expect(jsonOf(results)).toEqual([
			expect.objectContaining({ engagementId: 1001 }),
			{ error: expect.stringContaining('(409)') },
			expect.objectContaining({ engagementId: 1003 }),
		]);
		expect(results.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
	});
});
