/** The examples for language models: tools for other applications (MCP), and an agent in a chat. */
import type { Browser } from 'playwright-core';
import { startBrowser } from '../browser/browser.mts';
import type { ChatPanel } from '../browser/chat.mts';
import { Editor } from '../browser/editor.mts';
import { MCP_TOKEN } from '../workflows/examples.mts';
import type { LanguageModel, ToolCall } from '../standIns/languageModel.mts';
import { connectMcp } from '../standIns/mcpClient.mts';
import type { SavedWorkflow } from '../workflows/rest.mts';
import { waitUntil } from '../process/waitFor.mts';
import { WITH_EDITOR } from '../process/n8n.mts';
import { ExampleRuns } from './exampleRuns.mts';
import { takePicture } from './pictures.mts';
import { template, useOpened } from './setup.mts';

let runs: ExampleRuns;
let browser: Browser;

useOpened(async () => (browser = await startBrowser()));
useOpened(async () => (runs = await ExampleRuns.open({ env: WITH_EDITOR })));

beforeEach(() => runs.service.clearRequests());

test('mcp-server offers its tools to those with the token, and helps them to correct a call', async () => {
	const { sandbox } = runs;
	await runs.publish('mcp-server.json');
	const open = async (token?: string) =>
		await connectMcp(template().installation, `${sandbox.n8n.url}/mcp/engagement-uploads`, token);
	await expect(open()).rejects.toMatchObject({ code: 403 });
	await expect(open('another-token')).rejects.toMatchObject({ code: 403 });

	const client = await open(MCP_TOKEN);
	const { tools } = await client.listTools();
	const instructions = client.getInstructions() ?? '';
	for (const word of [/An engagement is/, /An upload is/, /externalEngagementId is/, /^Order: /m])
		expect(instructions).toMatch(word);
	// They name the tools as the server does.
	const named = instructions.match(/\b[A-Z][a-z]+(_\w+)+/g) ?? [];
	expect([...new Set(named)].sort()).toEqual(tools.map(({ name }) => name).sort());
	expect(tools.map(({ name }) => name).sort()).toEqual([
		'Create_Engagement',
		'Get_Data_Status',
		'Get_Last_Upload',
		'Get_Steps_of_an_Upload',
		'Refresh_Data',
	]);
	for (const { description, inputSchema } of tools) {
		expect(description).toMatch(/ in Engagement Uploads$/);
		for (const { description: ofField } of Object.values(inputSchema.properties ?? {}))
			expect(ofField).toMatch(/\w+ \w+/);
	}
	const call = async (name: string, input: Record<string, unknown>) => {
		const { content, isError = false } = await client.callTool({ name, arguments: input });
		return { isError, text: content.map(({ text }) => text).join('') };
	};
	const records = async (name: string, input: Record<string, unknown>) => {
		const { isError, text } = await call(name, input);
		expect({ isError, text }).toMatchObject({ isError: false });
		const found: Array<Record<string, unknown>> = JSON.parse(text);
		return found;
	};

	const [failed] = await records('Get_Data_Status', { Data_Statuses: 'failed, stuck' });
	const External_IDs = String(failed?.externalEngagementId);
	expect(await records('Get_Data_Status', { External_IDs })).toEqual([failed]);
	const Engagement_IDs = String(failed?.engagementId);
	const [last] = await records('Get_Last_Upload', { Engagement_IDs });
	expect(last).toMatchObject({ uploadId: failed?.lastUploadId });
	const steps = { Engagement_ID: Engagement_IDs, Upload_ID: last?.uploadId };
	expect(await records('Get_Steps_of_an_Upload', steps)).toMatchObject([{ stepCount: 5 }]);
	expect(runs.writes()).toEqual([]);

	for (const [input, message] of [
		[{ Engagement_ID: '1002' }, /has no upload/],
		[{}, /Required\s.*Engagement_ID/s],
	] as const) {
		const failure = { isError: true, text: expect.stringMatching(message) };
		expect(await call('Refresh_Data', input)).toEqual(failure);
	}
	expect(runs.writes()).toEqual([]);

	const { connectorName } = runs.service.model.lastUpload(1008) ?? {};
	expect(await records('Refresh_Data', { Engagement_ID: '1008' })).toMatchObject([
		{ engagementId: 1008, connectorName, actionRequired: false },
	]);
	const creation = { Name: 'Glenham Weavers', External_ID: 'CRM-07001' };
	const created = await records('Create_Engagement', creation);
	const again = await records('Create_Engagement', creation);
	expect(again[0]?.engagementId).toBe(created[0]?.engagementId);
	expect(runs.writes()).toHaveLength(2);
	await client.close();
});

describe('portfolio-agent', () => {
	let model: LanguageModel;
	let workflow: SavedWorkflow;
	let editor: Editor;
	let chat: ChatPanel;

	/** A call that refreshes an engagement. */
	const makeRefresh = (engagementId: number): ToolCall => {
		const toolParameters = { Engagement_ID: String(engagementId) };
		return { tool: 'Refresh_Data', input: { toolParameters, hitlParameters: {} } };
	};

	beforeAll(async () => {
		({ model } = runs);
		workflow = await runs.rest.createWorkflow(runs.findExample('portfolio-agent.json'));
		const viewport = { width: 1120, height: 1130 };
		editor = await Editor.logIn(browser, runs.sandbox.n8n.url, { viewport });
		await editor.openWorkflow(workflow);
		chat = await editor.openChat();
	});

	test('answers from what its tools return, and can correct a mistake', async () => {
		model.replies.push(
			[{ tool: 'Get_Data_Status', input: { External_IDs: 'CRM-00008' } }],
			[{ tool: 'Get_Last_Upload', input: { Engagement_IDs: 'the newest' } }],
			[{ tool: 'Get_Last_Upload', input: { Engagement_IDs: '["1008"]' } }],
			'Twelve days old.',
		);
		await chat.say('How old is the data of CRM-00008?');
		await chat.shows('Twelve days old.');
		const [status, mistake, last] = model.results;
		expect(status).toContain('"engagementId":1008');
		expect(mistake).toMatch(/Engagement IDs “the[^”]*” is not a positive whole number/);
		expect(last).toContain(`"uploadId":"${runs.service.model.lastUpload(1008)?.uploadId}"`);
	});

	test('does not refresh without a click, or after a No', async () => {
		model.replies.push([makeRefresh(1008)], 'Then I leave it as it is.');
		await chat.say('Please refresh it.');
		await chat.shows('Shall I refresh the data of engagement 1008?');
		await chat.type('Yes, refresh');
		expect(runs.writes()).toEqual([]);
		await chat.click('No');
		await chat.shows('Then I leave it as it is.');
		expect(model.results.at(-1)).toContain('User rejected the tool call');
		expect(runs.writes()).toEqual([]);
	});

	test('refreshes after a Yes, once', async () => {
		// It may repeat what a customer is called.
		const name = '<script>alert(1)</script> & <b>Sons</b>';
		model.replies.push(
			[{ tool: 'Get_Data_Status', input: { External_IDs: 'CRM-00009' } }],
			'No, it is stale: the last upload completed 45 days ago.',
		);
		await chat.enlarge();
		await chat.say('Is the data of CRM-00009 fresh?');
		await chat.shows('No, it is stale');
		expect(model.results.at(-1)).toMatch(/"dataStatus":"stale".*"ageDays":45/);
		model.replies.push([makeRefresh(1009)], `The refresh of ${name} has started.`);
		await chat.say('Then refresh it, please.');
		await chat.shows('Shall I refresh the data of engagement 1009?');
		await chat.offers('Yes, refresh');
		await takePicture('agent.png', async (path) => await editor.pictureWithChat(path));
		await chat.click('Yes, refresh');
		await chat.shows(`The refresh of ${name} has started.`);
		expect(model.results.at(-1)).toContain('"actionRequired":false');
		expect(runs.writes()).toMatchObject([
			{ path: expect.stringMatching(/^\/v1\/engagements\/1009\/.*\/refresh$/), status: 200 },
		]);
	});

	// n8n shows no question then, since it can ask about one call at a time only.
	test('does none of several refreshes at once', async () => {
		model.replies.push([makeRefresh(1008), makeRefresh(1009)]);
		await chat.say('And now both.');
		const isWaiting = async () =>
			(await runs.rest.listExecutions(workflow.id, ['waiting'])).length > 0;
		await waitUntil(isWaiting, { what: 'the agent to wait' });
		expect(runs.writes()).toEqual([]);
	});
});
