import { ACTION_NODE, actionNode, fan, MANUAL, manualTrigger } from '../workflows.mts';
import type { SavedWorkflow, StoredRun } from '../rest.mts';
import { credentialFor, Stage } from '../stage.mts';
import { operationCases, type OperationCase } from './operations.mts';
import { recordsOf, template, type Outcome } from './setup.mts';

let stage: Stage;
let cases: OperationCase[];
let workflow: SavedWorkflow;

beforeAll(async () => {
	stage = await Stage.open(template());
	cases = operationCases(stage.service);
	const { rest, service } = stage;
	const credential = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
	const nodes = cases.map(({ name, parameters }) => actionNode(name, parameters, credential));
	workflow = await rest.createWorkflow(fan('All operations', [manualTrigger(), ...nodes]));
});

afterAll(async () => await stage?.closeAndSearch());

beforeEach(() => stage.service.clearRequests());

/** Every operation has given its records, and sent its one request with both headers. */
function checkAll(execution: Outcome): void {
	const asked = stage.service.requests.filter(({ path }) => !path.includes('oauth'));
	const seen = cases.map(({ name, method, path }) => ({
		name,
		records: recordsOf(execution, name),
		requests: asked.filter((request) => request.method === method && request.path === path),
	}));
	expect(seen).toEqual(
		cases.map(({ name, gives, body }) => ({
			name,
			records: expect.arrayContaining([expect.objectContaining(gives)]),
			requests: [
				expect.objectContaining({
					status: 200,
					...(body && { body }),
					headers: expect.objectContaining({
						authorization: expect.stringMatching(/^Bearer .+/),
						'ocp-apim-subscription-key': stage.service.subscriptionKey,
					}),
				}),
			],
		})),
	);
	expect(asked).toHaveLength(cases.length);
}

test('there are twelve operations, as many as the node has', async () => {
	const type = (await stage.rest.nodeTypes()).get(ACTION_NODE);
	const properties = type?.properties as Array<{ name: string; options?: unknown[] }>;
	const operations = properties.filter(({ name }) => name === 'operation');
	// n8n adds an entry of its own, "Custom API Call", to each resource.
	const own = operations.flatMap(({ options = [] }) => options.slice(0, -1));
	expect(own).toHaveLength(cases.length);
	expect(cases).toHaveLength(12);
});

test('a workflow with all operations runs when it is started in the editor', async () => {
	const execution = await stage.rest.run(workflow.id, MANUAL);
	expect(execution).toMatchObject({ status: 'success', mode: 'manual' });
	checkAll(execution);
});

test('the same workflow runs from the command line', async () => {
	const { code, stdout } = await stage.n8n.command('execute', `--id=${workflow.id}`, '--rawOutput');
	expect(code).toBe(0);
	const printed: { data: StoredRun } = JSON.parse(stdout.slice(stdout.indexOf('{')));
	checkAll(printed.data.resultData);
});
