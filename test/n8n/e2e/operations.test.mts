import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { examples, targetOf } from '../../support/examples.mts';
import type { Sandbox } from '../sandbox.mts';
import { actionNode, fan, itemsOf, makeNode, MANUAL, manualTrigger } from '../workflows.mts';
import { recordsOf, useSandbox } from './setup.mts';

let sandbox: Sandbox;
let credential: string;

useSandbox(async (opened) => {
	sandbox = opened;
	credential = await sandbox.credential();
});

/** Engagement and Connector in the form in which the editor saves them. */
function asEntered({ engagementId, connectorName, ...rest }: IDataObject): INodeParameters {
	const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value: String(value) });
	return {
		...(rest as INodeParameters),
		...(engagementId !== undefined && { engagementId: locator('id', engagementId) }),
		...(connectorName !== undefined && { connectorName: locator('name', connectorName) }),
	};
}

test('every operation returns its records and sends its request, each write once', async () => {
	const { rest, service } = sandbox;
	const target = targetOf(service);
	const nodes = examples.map(({ name, parameters }) =>
		actionNode(name, asEntered(parameters(target)), credential),
	);
	const { id } = await rest.createWorkflow(fan('All operations', [manualTrigger(), ...nodes]));

	const execution = await rest.run(id, MANUAL);

	expect(execution).toMatchObject({ status: 'success', mode: 'manual' });
	const requests = service.requests.filter(({ path }) => !path.includes('oauth'));
	const sentBy = ({ method, url, body }: (typeof examples)[number]) => {
		const [path] = url(target).split('?');
		const sent = requests.filter(
			(request) =>
				request.method === method &&
				request.path === path &&
				(body === undefined || isDeepStrictEqual(request.body, body)),
		).length;
		// Operations that read may share a path.
		return method === 'GET' ? Math.min(1, sent) : sent;
	};
	const seen = examples.map((example) => {
		const fields = Object.keys(recordsOf(execution, example.name)[0] ?? {}).sort();
		return { name: example.name, fields, sent: sentBy(example) };
	});
	expect(seen).toEqual(
		examples.map(({ name, output }) => {
			return { name, fields: Object.keys(output()).sort(), sent: 1 };
		}),
	);
	for (const request of requests) {
		expect(request).toMatchObject({
			status: 200,
			headers: {
				authorization: expect.stringMatching(/^Bearer .+/),
				'ocp-apim-subscription-key': service.subscriptionKey,
			},
		});
	}
});

test('with Continue, n8n finds the input of every item, the failed one included', async () => {
	const known = sandbox.service.model.engagements.all.slice(0, 30).map(({ id }) => id);
	const entries = [...known.slice(0, 10), 999_999, ...known.slice(10)];
	const engagementId = { __rl: true, mode: 'id', value: '={{ $json.value }}' };
	const read = { resource: 'company', operation: 'get', engagementId };
	// What n8n finds through item pairing, rather than by position.
	const jsonOutput = '={{ { from: $("Items").item.json.value, error: $json.error } }}';
	const execution = await sandbox.run(
		...itemsOf('Items', entries),
		actionNode('Read', read, credential, { onError: 'continueRegularOutput' }),
		makeNode('Linked', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput }, { typeVersion: 3.4 }),
	);
	expect(execution.status).toBe('success');
	expect(recordsOf(execution, 'Read').map((record) => record.engagementId)).toEqual(
		entries.map((entry) => (entry === 999_999 ? undefined : entry)),
	);
	const links = recordsOf(execution, 'Linked');
	expect(links.map(({ from }) => from)).toEqual(entries);
	expect(links.filter(({ error }) => error).map(({ from }) => from)).toEqual([999_999]);
});
