import type { IConnections, INode, INodeProperties } from 'n8n-workflow';
import { startModel, type Model, type ToolCall } from '../model.mts';
import type { Execution } from '../rest.mts';
import { credentialFor, Stage } from '../stage.mts';
import { ACTION_NODE, makeNode, MANUAL, manualTrigger, withCredential } from '../workflows.mts';
import { recordsOf, template } from './setup.mts';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const FIND = 'Find Engagements';
const LAST = 'Last Uploads';
const COMPANY = 'Company Details';
/** Answers of tools stay small enough for a model. */
const MOST_CHARACTERS = 20_000;

let stage: Stage;
let properties: INodeProperties[];
let credential: string;
let model: Model | undefined;

beforeAll(async () => {
	stage = await Stage.open(template());
	const { rest, service } = stage;
	credential = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
	const type = (await rest.nodeTypes()).get(`${ACTION_NODE}Tool`);
	properties = type?.properties as INodeProperties[];
});

afterAll(async () => await stage?.closeAndSearch());

afterEach(async () => await model?.close());

/** What the editor writes when the model is to fill in a field: its description tells how. */
function byModel(name: string, field: INodeProperties | undefined): string {
	return `={{ $fromAI('${name}', \`${field?.description}\`, 'string') }}`;
}

function tools(): INode[] {
	const field = (name: string) => properties.find((each) => each.name === name);
	const asTool = (name: string, parameters: INode['parameters']) =>
		withCredential(makeNode(name, `${ACTION_NODE}Tool`, parameters), credential);
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
	];
}

/** Runs an agent whose model asks for these calls. */
async function converse(calls: ToolCall[]): Promise<{ model: Model; execution: Execution }> {
	model = await startModel(calls);
	const { rest } = stage;
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

test('a model is told what each tool does, and how to fill in its parameters', async () => {
	const { model: asked, execution } = await converse([]);
	expect(recordsOf(execution, 'Agent')).toEqual([{ output: 'Done' }]);
	const offered = Object.fromEntries(asked.offered.map((tool) => [tool.name, tool]));
	expect(offered).toMatchObject({
		Find_Engagements: { description: 'Get many engagements in Engagement Uploads' },
		Last_Uploads: {
			description: 'Get the last upload of each engagement in Engagement Uploads',
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
			description: 'Get the company details of an engagement in Engagement Uploads',
		},
	});
});

test('a model finds a customer, the last upload and the company, whatever form it gives IDs', async () => {
	const { model: data } = stage.service;
	const [engagement] = data.engagements.all.filter(
		({ id, externalEngagementId }) =>
			externalEngagementId !== null && data.uploads.of(id).length > 0,
	);
	const { id, externalEngagementId, name } = engagement ?? {};
	const { model: asked, execution } = await converse([
		{ tool: 'Find_Engagements', input: { External_IDs: externalEngagementId } },
		{ tool: 'Last_Uploads', input: { Engagement_IDs: `["${id}"]` } },
		{ tool: 'Company_Details', input: { Engagement: String(id) } },
	]);
	expect(recordsOf(execution, 'Agent')).toEqual([{ output: 'Done' }]);
	const [found, last, company] = asked.answers;
	expect(found).toContain(`"engagementId":${id}`);
	expect(found).toContain(String(name));
	expect(last).toContain('"uploadId"');
	expect(company).toContain('"registrationNumber"');
	for (const answer of asked.answers) expect(answer.length).toBeLessThan(MOST_CHARACTERS);
});

test('a model that errs is told what is wrong, and can go on', async () => {
	const { model: asked, execution } = await converse([
		{ tool: 'Last_Uploads', input: { Engagement_IDs: 'the newest' } },
		{ tool: 'Last_Uploads', input: { Engagement_IDs: '1008' } },
	]);
	expect(recordsOf(execution, 'Agent')).toEqual([{ output: 'Done' }]);
	expect(asked.answers[0]).toContain('Engagement IDs “the newest” is not a whole number');
	expect(asked.answers[1]).toContain('"engagementId":1008');
});
