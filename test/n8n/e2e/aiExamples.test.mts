/** The examples for language models: an agent in a chat. */
import type { Browser } from 'playwright-core';
import { startBrowser } from '../browser/browser.mts';
import type { ChatPanel } from '../browser/chat.mts';
import { Editor } from '../browser/editor.mts';
import type { LanguageModel, ToolCall } from '../standIns/languageModel.mts';
import type { SavedWorkflow } from '../workflows/rest.mts';
import { waitUntil } from '../process/waitFor.mts';
import { WITH_EDITOR } from '../process/n8n.mts';
import { ExampleRuns } from './exampleRuns.mts';
import { takePicture } from './pictures.mts';
import { useOpened } from './setup.mts';

let runs: ExampleRuns;
let browser: Browser;

useOpened(async () => (browser = await startBrowser()));
useOpened(async () => (runs = await ExampleRuns.open({ env: WITH_EDITOR })));

beforeEach(() => runs.service.clearRequests());

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
			[{ tool: 'Get_Last_Upload', input: { Engagement_ID: 'the newest' } }],
			[{ tool: 'Get_Last_Upload', input: { Engagement_ID: '1008' } }],
			'Twelve days old.',
		);
		await chat.say('How old is the data of CRM-00008?');
		await chat.shows('Twelve days old.');
		const [status, mistake, last] = model.results;
		expect(status).toContain('"engagementId":1008');
		expect(mistake).toMatch(/the newest/);
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
