/** The action node as a tool of n8n's agent; portfolio-agent (aiExamples.test.mts) has more tools. */
import type { INodeProperties } from 'n8n-workflow';
import { modelCredentials, startLanguageModel, type LanguageModel } from '../languageModel.mts';
import type { Sandbox } from '../sandbox.mts';
import { makeNode, MANUAL, manualTrigger, TOOL_NODE, withCredential } from '../workflows.mts';
import { listRecords, useOpened, useSandbox } from './setup.mts';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const CREATE = 'Create Engagement';

let sandbox: Sandbox;
let model: LanguageModel;

useSandbox(async (opened) => {
	sandbox = opened;
});
useOpened(async () => (model = await startLanguageModel()));

/** Runs an agent whose one tool creates engagements, with a name that the model chooses. */
async function runAgent(description = ''): Promise<void> {
	const { rest } = sandbox;
	const chatModel = {
		model: { __rl: true, mode: 'id', value: 'stand-in' },
		options: { maxRetries: 0 },
	};
	const chat = makeNode('Model', `${LANGCHAIN}.lmChatOpenAi`, chatModel, {
		typeVersion: 1.2,
		credentials: await modelCredentials(rest, model),
	});
	const question = { promptType: 'define', text: 'Please create engagements.' };
	const agent = makeNode('Agent', `${LANGCHAIN}.agent`, question, { typeVersion: 3.1 });
	const name = `={{ $fromAI('Name', \`${description}\`, 'string') }}`;
	const creation = { resource: 'engagement', operation: 'create', name };
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };
	const node = makeNode(CREATE, TOOL_NODE, creation, retrying);
	const { id } = await rest.createWorkflow({
		name: 'Agent',
		nodes: [manualTrigger(), agent, chat, withCredential(node, await sandbox.credential())],
		connections: {
			[MANUAL]: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			[CREATE]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	});
	expect(listRecords(await rest.run(id, MANUAL), 'Agent')).toEqual([{ output: 'Done' }]);
}

test('a call is repeated if it was rejected, and not if its outcome is unknown', async () => {
	const { rest, service } = sandbox;
	const type = (await rest.nodeTypes()).get(TOOL_NODE);
	const fields = type?.properties as INodeProperties[];
	// The editor saves it if the model is to fill in the field.
	const description = fields.find(({ name }) => name === 'name')?.description;
	const creation = { method: 'POST', path: /\/engagements$/ };
	service.fail({ ...creation, body: 'Corfe' }, { kind: 'status', status: 409 });
	service.fail({ ...creation, body: 'Ashby' }, { kind: 'reset', afterProcessing: true });
	const names = ['Corfe Group', 'Ashby Studios', 'Ashby Studios'];
	model.replies.push(...names.map((Name) => [{ tool: 'Create_Engagement', input: { Name } }]));
	await runAgent(description);

	expect(model.offered).toMatchObject([
		{
			name: 'Create_Engagement',
			description: expect.stringMatching(/create engagement/i),
			parameters: { properties: { Name: { type: 'string', description } } },
		},
	]);
	const [created, unknown, again] = model.results;
	expect(created).toContain('Corfe Group');
	expect(unknown).toMatch(/outcome is unknown/i);
	expect(again).toContain('Ashby Studios');
	const sent = service.requests.filter(
		({ method, path }) => method === 'POST' && path.endsWith('/engagements'),
	);
	expect(sent.map(({ body }) => Object(body).sme.name)).toEqual(['Corfe Group', ...names]);
});
