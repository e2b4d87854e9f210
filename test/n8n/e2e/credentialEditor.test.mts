import type { Browser } from 'playwright-core';
import { startService } from '../../support/service/http.mts';
import { newVisitor, startBrowser } from '../browser.mts';
import { Editor } from '../browserEditor.mts';
import { credentialFor, OWNER, Sandbox } from '../sandbox.mts';
import { actionNode, chain, manualTrigger } from '../workflows.mts';
import { template } from './setup.mts';

const CREATE = 'Create an engagement';

let sandbox: Sandbox;
let other: Awaited<ReturnType<typeof startService>>;
let browser: Browser;
let editor: Editor;

beforeAll(async () => {
	browser = await startBrowser();
	sandbox = await Sandbox.open(template());
	other = await startService();
	const { rest, service, n8n } = sandbox;
	const id = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
	const create = { resource: 'engagement', operation: 'create', name: 'Nordlicht' };
	const workflow = chain(CREATE, [manualTrigger(), actionNode('Create', create, id)]);
	await rest.createWorkflow(workflow);
	const page = await (await newVisitor(browser)).newPage();
	editor = new Editor(page, n8n.url);
	await editor.logIn(OWNER);
});

afterAll(async () => {
	await browser?.close();
	await other?.close();
	await sandbox?.close();
});

test('after an edit in the editor, the next engagement is created in the new account', async () => {
	const executeAgain = async () => {
		await editor.openWorkflow(CREATE);
		const panel = await editor.openNode('Create');
		await panel.execute();
		return panel;
	};
	const created = () => [sandbox.service, other].map(({ model }) => model.engagements.all.length);
	const [before = 0, elsewhere = 0] = created();
	const panel = await executeAgain();
	expect(created()).toEqual([before + 1, elsewhere]);

	const { service } = sandbox;
	const tokens = service.requests.map(({ headers }) => headers.authorization);
	const dialog = await panel.editCredential();
	await dialog.fill('baseUrl', other.url);
	await dialog.save();
	service.clearRequests();
	await executeAgain();
	expect(created()).toEqual([before + 1, elsewhere + 1]);
	expect(service.requests).toEqual([]);
	for (const { headers } of other.requests)
		if (headers.authorization) expect(tokens).not.toContain(headers.authorization);
});
