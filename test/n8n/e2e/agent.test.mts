import type { IConnections, INode, INodeProperties } from 'n8n-workflow';
import { startLanguageModel, type LanguageModel, type ToolCall } from '../languageModel.mts';
import type { Execution } from '../rest.mts';
import { credentialFor, Sandbox } from '../sandbox.mts';
import { makeNode, MANUAL, manualTrigger, TOOL_NODE, withCredential } from '../workflows.mts';
import { recordsOf, template } from './setup.mts';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const FIND = 'Find Engagements';
const LAST = 'Last Uploads';
const COMPANY = 'Company Details';
const CREATE = 'Create Engagement';
/** Results of tools stay small enough for a model. */
const MAX_CHARACTERS = 20_000;

let sandbox: Sandbox;
let properties: INodeProperties[];
let credential: string;
let model: LanguageModel | undefined;

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
	const { rest, service } = sandbox;
	credential = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
	const type = (await rest.nodeTypes()).get(TOOL_NODE);
	properties = type?.properties as INodeProperties[];
});

afterAll(async () => await sandbox?.close());

afterEach(async () => await model?.close());

/** What the editor saves if the model is to fill in a field: its description. */
function byModel(name: string, field: INodeProperties | undefined): string {
	return `={{ $fromAI('${name}', \`${field?.description}\`, 'string') }}`;
}

function tools(): INode[] {
	const field = (name: string) => properties.find((each) => each.name === name);
	const asTool = (name: string, parameters: INode['parameters']) =>
		withCredential(makeNode(name, TOOL_NODE, parameters), credential);
	const external = { description: 'The ID of the customer in our CRM' } as INodeProperties;
	return [
		asTool(FIND, {
			resource: 'engagement',
			operation: 'getAll',
			filters: { externalEngagementIds: byModel('External_IDs', external) },
		}),
		asTool(LAST, {
			resource: 'upload',
			operation: 'getLast',
			engagementIds: byModel('Engagement_IDs', field('engagementIds')),
		}),
		asTool(COMPANY, {
			resource: 'company',
			operation: 'get',
			engagementId: { __rl: true, mode: 'id', value: byModel('Engagement', field('engagementId')) },
		}),
		{
			...asTool(CREATE, {
				resource: 'engagement',
				operation: 'create',
				name: byModel('Name', field('name')),
			}),
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1000,
		},
	];
}

/** Runs an agent whose model makes these calls. */
async function converse(
	calls: ToolCall[],
): Promise<{ model: LanguageModel; execution: Execution }> {
	model = await startLanguageModel(calls.map((call) => [call]));
	const { rest } = sandbox;
	const access = await rest.createCredential({
		name: 'Model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url },
	});
	const chat = {
		...makeNode('Model', `${LANGCHAIN}.lmChatOpenAi`, {
			model: { __rl: true, mode: 'id', value: 'stand-in' },
			options: { maxRetries: 0 },
		}),
		typeVersion: 1.2,
		credentials: { openAiApi: { id: access, name: 'Model' } },
	};
	const agent = {
		...makeNode('Agent', `${LANGCHAIN}.agent`, {
			promptType: 'define',
			text: 'When did our customers last upload?',
		}),
		typeVersion: 3.1,
	};
	const to = (type: 'ai_languageModel' | 'ai_tool') => ({
		[type]: [[{ node: agent.name, type, index: 0 }]],
	});
	const connections: IConnections = {
		[MANUAL]: { main: [[{ node: agent.name, type: 'main', index: 0 }]] },
		[chat.name]: to('ai_languageModel'),
		...Object.fromEntries(tools().map(({ name }) => [name, to('ai_tool')])),
	};
	const nodes = [manualTrigger(), agent, chat, ...tools()];
	const { id } = await rest.createWorkflow({
		name: 'Agent',
		nodes,
		connections,
		settings: { executionOrder: 'v1' },
	});
	return { model, execution: await rest.run(id, MANUAL) };
}

test('the model gets a description of each tool and of its parameters', async () => {
	const { model: used, execution } = await converse([]);
	expect(recordsOf(execution, 'Agent')).toEqual([{ output: 'Done' }]);
	const offered = Object.fromEntries(used.offered.map((tool) => [tool.name, tool]));
	expect(offered).toMatchObject({
		Find_Engagements: { description: expect.stringMatching(/many engagements/) },
		Last_Uploads: {
			description: expect.stringMatching(/last upload of each engagement/),
			parameters: {
				properties: {
					Engagement_IDs: {
						type: 'string',
						description: expect.stringContaining('engagement IDs, separated by commas'),
					},
				},
			},
		},
		Company_Details: {
			description: expect.stringMatching(/company details of engagement/),
		},
	});
});

test('the model finds a customer, the last upload and the company, however it writes IDs', async () => {
	const { model: data } = sandbox.service;
	const [engagement] = data.engagements.all.filter(
		({ id, externalEngagementId }) =>
			externalEngagementId !== null && data.uploads.of(id).length > 0,
	);
	const { id, externalEngagementId, name } = engagement ?? {};
	const { model: used, execution } = await converse([
		{ tool: 'Find_Engagements', input: { External_IDs: externalEngagementId } },
		{ tool: 'Last_Uploads', input: { Engagement_IDs: `["${id}"]` } },
		{ tool: 'Company_Details', input: { Engagement: String(id) } },
	]);
	expect(recordsOf(execution, 'Agent')).toEqual([{ output: 'Done' }]);
	const [found, last, company] = used.results;
	expect(found).toContain(`"engagementId":${id}`);
	expect(found).toContain(String(name));
	expect(last).toContain('"uploadId"');
	expect(company).toContain('"registrationNumber"');
	for (const result of used.results) expect(result.length).toBeLessThan(MAX_CHARACTERS);
});

test('a model that makes a mistake learns what is wrong and can continue', async () => {
	const { model: used, execution } = await converse([
		{ tool: 'Last_Uploads', input: { Engagement_IDs: 'the newest' } },
		{ tool: 'Last_Uploads', input: { Engagement_IDs: '1008' } },
	]);
	expect(recordsOf(execution, 'Agent')).toEqual([{ output: 'Done' }]);
	expect(used.results[0]).toMatch(/Engagement IDs “the[^”]*” is not a positive whole number/);
	expect(used.results[1]).toContain('"engagementId":1008');
});

describe('with Retry On Fail, a tool call', () => {
	/** The names of the engagements that were sent to the service, in order. */
	const sentNames = () =>
		sandbox.service.requests
			.filter(({ method, path }) => method === 'POST' && path.endsWith('/engagements'))
			.map(({ body }) => (body as { sme: { name: string } }).sme.name);
	const creation = { method: 'POST', path: /\/engagements$/ };

	test('is repeated if the service rejected it', async () => {
		sandbox.service.fail(creation, { kind: 'status', status: 409 });
		const { model: used } = await converse([
			{ tool: 'Create_Engagement', input: { Name: 'Corfe Group' } },
		]);
		expect(used.results[0]).toContain('Corfe Group');
		expect(sentNames().filter((name) => name === 'Corfe Group')).toHaveLength(2);
	});

	test('is not repeated if its outcome is unknown, but a new call is sent', async () => {
		sandbox.service.fail(creation, { kind: 'reset', afterProcessing: true });
		const call = { tool: 'Create_Engagement', input: { Name: 'Ashby Studios' } };
		const { model: used } = await converse([call, call]);
		expect(used.results[0]).toMatch(/outcome is unknown/i);
		expect(used.results[1]).toContain('Ashby Studios');
		expect(sentNames().filter((name) => name === 'Ashby Studios')).toHaveLength(2);
	});
});
