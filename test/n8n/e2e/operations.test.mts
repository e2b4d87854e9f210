import { isDeepStrictEqual } from 'node:util';
import type { INodeProperties } from 'n8n-workflow';
import { ACTION_NODE, actionNode, fan, MANUAL, manualTrigger } from '../workflows.mts';
import type { SavedWorkflow, StoredRun } from '../rest.mts';
import { credentialFor, Sandbox } from '../sandbox.mts';
import { operationCases, type OperationCase } from './operations.mts';
import { recordsOf, template, type Outcome } from './setup.mts';

let sandbox: Sandbox;
let cases: OperationCase[];
let workflow: SavedWorkflow;

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
	cases = operationCases(sandbox.service);
	const { rest, service } = sandbox;
	const credential = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
	const nodes = cases.map(({ name, parameters }) => actionNode(name, parameters, credential));
	workflow = await rest.createWorkflow(fan('All operations', [manualTrigger(), ...nodes]));
});

afterAll(async () => await sandbox?.close());

beforeEach(() => sandbox.service.clearRequests());

/** Every operation returned its records and sent its request, and each write was sent once. */
function checkAll(execution: Outcome): void {
	const requests = sandbox.service.requests.filter(({ path }) => !path.includes('oauth'));
	const seen = cases.map(({ name, method, path, body }) => {
		const sent = requests.filter(
			(request) =>
				request.method === method &&
				request.path === path &&
				(body === undefined || isDeepStrictEqual(request.body, body)),
		).length;
		const fields = Object.keys(recordsOf(execution, name)[0] ?? {}).sort();
		// Operations that read may share a path.
		return { name, fields, sent: method === 'GET' ? Math.min(1, sent) : sent };
	});
	expect(seen).toEqual(cases.map(({ name, fields }) => ({ name, fields, sent: 1 })));
	for (const request of requests) {
		expect(request).toMatchObject({
			status: 200,
			headers: {
				authorization: expect.stringMatching(/^Bearer .+/),
				'ocp-apim-subscription-key': sandbox.service.subscriptionKey,
			},
		});
	}
}

test('the tested operations are those of the node', async () => {
	const type = (await sandbox.rest.nodeTypes()).get(ACTION_NODE);
	const properties = (type?.properties ?? []) as INodeProperties[];
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) => {
			const [resource] = displayOptions?.show?.resource ?? [];
			// n8n adds its own entry, "Custom API Call", to each resource.
			return options
				.slice(0, -1)
				.map((each) => `${String(resource)}.${String('value' in each && each.value)}`);
		});
	expect(offered.sort()).toEqual([...new Set(cases.map(({ operation }) => operation))].sort());
});

test('a workflow with all operations runs when started in the editor', async () => {
	const execution = await sandbox.rest.run(workflow.id, MANUAL);
	expect(execution).toMatchObject({ status: 'success', mode: 'manual' });
	checkAll(execution);
});

test('the same workflow runs from the command line', async () => {
	const output = await sandbox.n8n.command('execute', `--id=${workflow.id}`, '--rawOutput');
	// n8n may log before and after it.
	const result = output.slice(output.indexOf('{'), output.lastIndexOf('\n}') + 2);
	const printed: { data: StoredRun } = JSON.parse(result);
	checkAll(printed.data.resultData);
});
