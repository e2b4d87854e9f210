/** The action node as a tool of n8n's agent; portfolio-agent (aiExamples.test.mts) has more tools. */
import type { INodeProperties } from 'n8n-workflow';
import {
	modelCredentials,
	startLanguageModel,
	type LanguageModel,
	type ToolCall,
} from '../languageModel.mts';
import type { Sandbox } from '../sandbox.mts';
import { makeNode, MANUAL, manualTrigger, TOOL_NODE, withCredential } from '../workflows.mts';
import { listRecords, useSandbox } from './setup.mts';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const CREATE = 'Create Engagement';

let sandbox: Sandbox;
/** The description of the field Name, which the editor saves if the model is to fill in the field. */
let description: string | undefined;
let credential: string;
let model: LanguageModel | undefined;

useSandbox(async (opened) => {
	sandbox = opened;
	credential = await sandbox.credential();
	const type = (await sandbox.rest.nodeTypes()).get(TOOL_NODE);
	const fields = type?.properties as INodeProperties[];
	description = fields.find(({ name }) => name === 'name')?.description;
});

afterEach(async () => await model?.close());

/** Runs an agent whose model makes these calls. */
async function converse(...calls: ToolCall[]): Promise<LanguageModel> {
	model = await startLanguageModel(calls.map((call) => [call]));
	const { rest } = sandbox;
	const chatModel = {
		model: { __rl: true, mode: 'id', value: 'stand-in' },
		options: { maxRetries: 0 },
	};
	const chat = makeNode('Model', `${LANGCHAIN}.lmChatOpenAi`, chatModel, {
		typeVersion: 1.2,
		credentials: await modelCredentials(rest, model),
	});
	const question = { promptType: 'define', text: 'Please create an engagement.' };
	const agent = makeNode('Agent', `${LANGCHAIN}.agent`, question, { typeVersion: 3.1 });
	const name = `={{ $fromAI('Name', \`${description}\`, 'string') }}`;
	const creation = { resource: 'engagement', operation: 'create', name };
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };
	const tool = withCredential(makeNode(CREATE, TOOL_NODE, creation, retrying), credential);
	const { id } = await rest.createWorkflow({
		name: 'Agent',
		nodes: [manualTrigger(), agent, chat, tool],
		connections: {
			[MANUAL]: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			[CREATE]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	});
	expect(listRecords(await rest.run(id, MANUAL), 'Agent')).toEqual([{ output: 'Done' }]);
	return model;
}

test('the model gets the description of the tool and of its field', async () => {
	expect(description).toMatch(/\w+ \w+/);
	expect((await converse()).offered).toMatchObject([
		{
			name: 'Create_Engagement',
			description: expect.stringMatching(/create engagement/i),
			parameters: { properties: { Name: { type: 'string', description } } },
		},
	]);
});

describe('with Retry On Fail, a tool call', () => {
	/** The names of the engagements that were sent to the service, in order. */
	const sentNames = () =>
		sandbox.service.requests
			.filter(({ method, path }) => method === 'POST' && path.endsWith('/engagements'))
			.map(({ body }) => (body as { sme: { name: string } }).sme.name);
	const creation = { method: 'POST', path: /\/engagements$/ };
	const creating = (Name: string) => ({ tool: 'Create_Engagement', input: { Name } });

	test('is repeated if the service rejected it', async () => {
		sandbox.service.fail(creation, { kind: 'status', status: 409 });
		const { results } = await converse(creating('Corfe Group'));
		expect(results[0]).toContain('Corfe Group');
		expect(sentNames().filter((name) => name === 'Corfe Group')).toHaveLength(2);
	});

	test('is not repeated if its outcome is unknown, but a new call is sent', async () => {
		sandbox.service.fail(creation, { kind: 'reset', afterProcessing: true });
		const { results } = await converse(creating('Ashby Studios'), creating('Ashby Studios'));
		expect(results[0]).toMatch(/outcome is unknown/i);
		expect(results[1]).toContain('Ashby Studios');
		expect(sentNames().filter((name) => name === 'Ashby Studios')).toHaveLength(2);
	});
});
