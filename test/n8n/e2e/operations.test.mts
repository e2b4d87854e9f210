import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { examples, targetOf } from '../../support/examples.mts';
import { actionNode, fan, MANUAL, manualTrigger } from '../workflows.mts';
import { credentialFor, Sandbox } from '../sandbox.mts';
import { recordsOf, template } from './setup.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
});

afterAll(async () => await sandbox?.close());

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
	const credential = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
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
