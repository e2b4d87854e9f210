import type { INodeParameters, OnError } from 'n8n-workflow';
import { credentialFor, Sandbox } from '../sandbox.mts';
import { actionNode, chain, itemsOf, makeNode, MANUAL, manualTrigger } from '../workflows.mts';
import { outputsOf, recordsOf, template } from './setup.mts';

let sandbox: Sandbox;
let credential: string;

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
	credential = await sandbox.rest.createCredential(credentialFor(sandbox.service, 'tokenEndpoint'));
});

afterAll(async () => await sandbox?.close());

/** Runs an operation for each entry, and then a node that shows the input of each item. */
async function run(entries: Array<string | number>, parameters: INodeParameters, onError: OnError) {
	// What n8n finds through item pairing, rather than by position.
	const jsonOutput = '={{ { from: $("Items").item.json.value, error: $json.error } }}';
	const linked = makeNode('Linked', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput });
	const nodes = [
		manualTrigger(),
		...itemsOf('Items', entries),
		actionNode('Read', parameters, credential, { onError }),
		{ ...linked, typeVersion: 3.4 },
	];
	const { id } = await sandbox.rest.createWorkflow(chain('On error', nodes));
	return await sandbox.rest.run(id, MANUAL);
}

test('with Continue, every item is paired with its input, the failed one included', async () => {
	const known = sandbox.service.model.engagements.all.slice(0, 30).map(({ id }) => id);
	const entries = [...known.slice(0, 10), 999_999, ...known.slice(10)];
	const engagementId = { __rl: true, mode: 'id', value: '={{ $json.value }}' };
	const parameters = { resource: 'company', operation: 'get', engagementId };
	const execution = await run(entries, parameters, 'continueRegularOutput');
	expect(execution.status).toBe('success');
	expect(recordsOf(execution, 'Read').map((record) => record.engagementId)).toEqual(
		entries.map((entry) => (entry === 999_999 ? undefined : entry)),
	);
	const links = recordsOf(execution, 'Linked');
	expect(links.map(({ from }) => from)).toEqual(entries);
	expect(links.filter(({ error }) => error).map(({ from }) => from)).toEqual([999_999]);
});

test('with Continue (Using Error Output), the failed item goes to the error output', async () => {
	const engagementIds = '={{ $json.value }}';
	const parameters = { resource: 'upload', operation: 'getLast', engagementIds };
	const execution = await run(['1001', 'none', '1004'], parameters, 'continueErrorOutput');
	const [good = [], bad = []] = outputsOf(execution, 'Read');
	expect(good.map(({ json }) => json.engagementId)).toEqual([1001, 1004]);
	expect(bad.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	expect(bad[0]?.json.error).toContain('“none”');
});
