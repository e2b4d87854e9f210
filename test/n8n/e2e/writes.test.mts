import type { INode, INodeParameters } from 'n8n-workflow';
import type { Execution } from '../rest.mts';
import { credentialFor, Sandbox } from '../sandbox.mts';
import type { Fault } from '../../support/service/faults.mts';
import { actionNode, chain, itemsOf, MANUAL, manualTrigger } from '../workflows.mts';
import { recordsOf, template } from './setup.mts';

const CREATE: INodeParameters = {
	resource: 'engagement',
	operation: 'create',
	name: '={{ $json.value }}',
};
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 } satisfies Partial<INode>;
const REFUSED: Fault = { kind: 'status', status: 409 };
const LOST: Fault = { kind: 'reset', afterProcessing: true };

let sandbox: Sandbox;
let credential: string;

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
	credential = await sandbox.rest.createCredential(credentialFor(sandbox.service, 'tokenEndpoint'));
});

afterAll(async () => await sandbox?.close());

beforeEach(() => {
	sandbox.service.clearRequests();
	sandbox.service.clearFaults();
});

/** Runs a node under n8n's Retry On Fail, with one item per entry. */
async function run(
	entries: Array<string | number>,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): Promise<Execution> {
	const node = actionNode('Write', parameters, credential, { ...RETRY, ...settings });
	const nodes = [manualTrigger(), ...itemsOf('Items', entries), node];
	const { id } = await sandbox.rest.createWorkflow(chain('Writes', nodes));
	return await sandbox.rest.run(id, MANUAL);
}

/** The names of the engagements that were sent to the service, in order. */
function sentNames(): unknown[] {
	const creations = sandbox.service.requests.filter(
		({ method, path }) => method === 'POST' && path.endsWith('/engagements'),
	);
	return creations.map(({ body }) => (body as { sme: { name: string } }).sme.name);
}

/** Makes the service fail the second creation, once. */
function failSecond(fault: Fault): void {
	sandbox.service.fail({ method: 'POST', path: /\/engagements$/ }, fault, { skip: 1 });
}

describe('with Retry On Fail', () => {
	test('only what the service rejected is resent', async () => {
		failSecond(REFUSED);
		const execution = await run(['Ashby', 'Bramley', 'Corfe'], CREATE);
		expect(execution.status).toBe('success');
		expect(recordsOf(execution, 'Write').map(({ name }) => name)).toEqual([
			'Ashby',
			'Bramley',
			'Corfe',
		]);
		expect(sentNames()).toEqual(['Ashby', 'Bramley', 'Bramley', 'Corfe']);
	});

	test('a write with an unknown outcome is not resent', async () => {
		failSecond(LOST);
		const execution = await run(['Dunmore', 'Elmswell', 'Fairford'], CREATE);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toMatch(/outcome is unknown/i);
		expect(sentNames()).toEqual(['Dunmore', 'Elmswell']);
	});

	test('with On Error: Continue, finished items keep their results', async () => {
		// n8n runs the node again only when its first item failed, and the creations arrive in any order.
		const first = { method: 'POST', path: /\/engagements$/, body: '"Glenham"' };
		sandbox.service.fail(first, REFUSED);
		const execution = await run(['Glenham', 'Hartwell', 'Ashby'], CREATE, {
			onError: 'continueRegularOutput',
		});
		expect(execution.status).toBe('success');
		expect(recordsOf(execution, 'Write').map(({ name }) => name)).toEqual([
			'Glenham',
			'Hartwell',
			'Ashby',
		]);
		const sent = sentNames();
		expect(sent).toHaveLength(4);
		expect(new Set(sent).size).toBe(3);
	});

	test('a refresh whose wait timed out is waited for again, not resent', async () => {
		const { service } = sandbox;
		const [engagement] = service.model.engagements.all.filter(
			({ dataRefreshEnabled, active }) => dataRefreshEnabled && active,
		);
		const connector = service.model.connectors.find(({ id }) => id === engagement?.connectorId);
		service.settings.uploadDurationMs = 5000;
		const execution = await run([engagement?.id ?? 0], {
			resource: 'dataRefresh',
			operation: 'run',
			engagementId: { __rl: true, mode: 'id', value: '={{ $json.value }}' },
			connectorName: { __rl: true, mode: 'name', value: connector?.name ?? '' },
			waitForCompletion: true,
			options: { waitTimeout: 0.05, waitInterval: 1 },
		});
		expect(execution.status).toBe('success');
		const [refresh] = recordsOf(execution, 'Write');
		expect(refresh).toMatchObject({ upload: { uploadStatus: 'COMPLETED' } });
		const sent = service.requests.filter(({ path }) => path.endsWith('/refresh'));
		expect(sent).toHaveLength(1);
	});

	test('a later execution writes again', async () => {
		await run(['Bramley'], CREATE);
		await run(['Bramley'], CREATE);
		expect(sentNames()).toEqual(['Bramley', 'Bramley']);
	});
});
