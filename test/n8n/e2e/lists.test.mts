import type { INodeParameters } from 'n8n-workflow';
import { CREDENTIAL } from '../../support/credentials.mts';
import { credentialFor, Sandbox } from '../sandbox.mts';
import * as workflows from '../workflows.mts';
import { outputsOf, recordsOf, template } from './setup.mts';

const { ACTION_NODE, MANUAL, actionNode, makeNode } = workflows;

let sandbox: Sandbox;
let credentialId: string;

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
	credentialId = await sandbox.rest.createCredential(
		credentialFor(sandbox.service, 'tokenEndpoint'),
	);
});

afterAll(async () => await sandbox?.close());

beforeEach(() => sandbox.service.clearRequests());

async function search(
	method: string,
	parameters: INodeParameters,
	more: { filter?: string; paginationToken?: string } = {},
) {
	const parameter = method === 'searchEngagements' ? 'engagementId' : 'connectorName';
	const credentials = { [CREDENTIAL]: { id: credentialId, name: 'Engagement Uploads' } };
	const request = { method, parameter, parameters, credentials, node: ACTION_NODE, ...more };
	return await sandbox.rest.search(request);
}

test('thousands of uploads are returned completely and in order, in pages of 500', async () => {
	const { service, rest } = sandbox;
	const parameters = { resource: 'upload', operation: 'getAll', returnAll: true };
	const node = actionNode('Uploads', parameters, credentialId);
	const chain = workflows.chain('All uploads', [workflows.manualTrigger(), node]);
	const { id } = await rest.createWorkflow(chain);

	const uploadIds = recordsOf(await rest.run(id, MANUAL), 'Uploads').map((item) => item.uploadId);

	const all = service.model.uploads.all.map(({ uploadId }) => uploadId);
	expect(all.length).toBeGreaterThan(3000);
	expect(uploadIds).toEqual(all);
	const pages = service.requests.filter(({ path }) => path.endsWith('/uploads'));
	expect(pages).toHaveLength(Math.ceil(all.length / 500));
});

test('with On Error: Continue every item is paired with its input, the failed one included', async () => {
	const { service, rest } = sandbox;
	const known = service.model.engagements.all.slice(0, 30).map(({ id }) => id);
	const entries = [...known.slice(0, 10), 999_999, ...known.slice(10)];
	const parameters = {
		resource: 'company',
		operation: 'get',
		engagementId: { __rl: true, mode: 'id', value: '={{ $json.value }}' },
	};
	const onError = 'continueRegularOutput' as const;
	const company = actionNode('Company', parameters, credentialId, { onError });
	// What n8n finds through item pairing, rather than by position.
	const jsonOutput = '={{ { from: $("Items").item.json.value, error: $json.error } }}';
	const linked = makeNode('Linked', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput });
	const nodes = [
		workflows.manualTrigger(),
		...workflows.itemsOf('Items', entries),
		company,
		{ ...linked, typeVersion: 3.4 },
	];
	const { id } = await rest.createWorkflow(workflows.chain('On error', nodes));

	const execution = await rest.run(id, MANUAL);

	expect(execution.status).toBe('success');
	const records = recordsOf(execution, 'Company');
	expect(records.map(({ engagementId }) => engagementId)).toEqual(
		entries.map((entry) => (entry === 999_999 ? undefined : entry)),
	);
	const links = recordsOf(execution, 'Linked');
	expect(links.map(({ from }) => from)).toEqual(entries);
	expect(links.filter(({ error }) => error).map(({ from }) => from)).toEqual([999_999]);
});

test('with On Error: Continue (Using Error Output) the failed item goes to the error output', async () => {
	const { rest } = sandbox;
	const parameters = {
		resource: 'upload',
		operation: 'getLast',
		engagementIds: '={{ $json.value }}',
	};
	const onError = 'continueErrorOutput' as const;
	const node = actionNode('Last', parameters, credentialId, { onError });
	const items = workflows.itemsOf('Items', ['1001', 'none', '1002']);
	const nodes = [workflows.manualTrigger(), ...items, node];
	const { id } = await rest.createWorkflow(workflows.chain('Error output', nodes));

	const [good = [], bad = []] = outputsOf(await rest.run(id, MANUAL), 'Last');

	expect(good.map(({ json }) => json.engagementId)).toEqual([1001, 1002]);
	expect(bad.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	expect(bad[0]?.json.error).toContain('“none”');
});

test('the node has a variant for AI agents', async () => {
	const tool = (await sandbox.rest.nodeTypes()).get(`${ACTION_NODE}Tool`);
	expect(tool).toMatchObject({ outputs: ['ai_tool'] });
	expect(tool?.credentials).toMatchObject([{ name: CREDENTIAL }]);
});

describe('the searchable lists', () => {
	const company = { resource: 'company', operation: 'get' };

	test('engagements are listed page by page, sorted by name', async () => {
		const first = await search('searchEngagements', company);
		const second = await search('searchEngagements', company, {
			paginationToken: first.paginationToken,
		});
		const ids = sandbox.service.model.engagements.all.map(({ id }) => String(id));
		const found = [...first.results, ...second.results].map(({ value }) => value);
		expect(found.length).toBeGreaterThan(first.results.length);
		expect(ids).toEqual(expect.arrayContaining(found));
		expect(new Set(found).size).toBe(found.length);
		const names = first.results.map(({ name }) => name);
		expect(names).toEqual(names.toSorted(new Intl.Collator('en', { numeric: true }).compare));
	});

	test('engagements are found by external ID and by part of their name', async () => {
		const engagement = sandbox.service.model.engagements.all.at(-2);
		const { externalEngagementId, name, id } = engagement ?? { name: '' };
		const external = await search('searchEngagements', company, {
			filter: String(externalEngagementId),
		});
		expect(external.results.map(({ value }) => value)).toEqual([String(id)]);
		const named = await search('searchEngagements', company, { filter: name.toUpperCase() });
		expect(named.results.map(({ value }) => value)).toContain(String(id));
		expect(named.results.every((result) => result.name.startsWith(name))).toBe(true);
	});

	test('all connectors are listed, but only refreshable ones for a data refresh', async () => {
		const { connectors } = sandbox.service.model;
		const start = { resource: 'upload', operation: 'start' };
		const all = await search('searchConnectors', start);
		expect(all.results.map(({ value }) => value).sort()).toEqual(
			connectors.map(({ name }) => name).sort(),
		);
		const run = { resource: 'dataRefresh', operation: 'run' };
		const refreshable = await search('searchRefreshableConnectors', run);
		expect(refreshable.results.map(({ value }) => value).sort()).toEqual(
			connectors.flatMap(({ name, isRefreshable }) => (isRefreshable ? [name] : [])).sort(),
		);
	});
});
