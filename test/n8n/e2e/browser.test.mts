import { readFileSync } from 'node:fs';
import type { INode } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../browser/browser.mts';
import { Editor } from '../browser/editor.mts';
import { WITH_EDITOR } from '../process/n8n.mts';
import { Sandbox } from '../process/sandbox.mts';
import {
	ACTION_NODE,
	actionNode,
	chain,
	makeNode,
	manualTrigger,
	TRIGGER_NODE,
	withCredential,
} from '../workflows/nodes.mts';
import { Movie } from './movie.mts';
import { takePicture } from './pictures.mts';
import { template, useOpened } from './setup.mts';

/** Customers for the picture of the list, and their external IDs. */
const MILLS = [
	['Abbey Mill Bakery', 'CRM-00401'],
	['Corn Mill Foods', 'CRM-00402'],
	['Millbrook Joinery', 'CRM-00403'],
	['Old Mill Brewery', 'CRM-00404'],
	['Paper Mill Studios', 'CRM-00405'],
	['Treadmill Gyms', 'CRM-00406'],
	['Watermill Farms', 'CRM-00407'],
] as const;
let sandbox: Sandbox;
let browser: Browser;
let editor: Editor;
let credential: string;

useOpened(async () => (browser = await startBrowser()));

useOpened(async () => (sandbox = await Sandbox.open(template(), { env: WITH_EDITOR })));

beforeAll(async () => {
	credential = await sandbox.credential();
	editor = await Editor.logIn(browser, sandbox.n8n.url);
});

/** Saves a workflow in which each node feeds the next, and opens it. */
async function openNew(...nodes: INode[]): Promise<void> {
	await editor.openWorkflow(await sandbox.rest.createWorkflow(chain('New', nodes)));
}

beforeEach(() => sandbox.service.clearRequests());

/** Clicks what the README says, up to a section of a node's list. @returns the list, and the entry there */
async function addFirstStep(section: string) {
	const clicks = new RegExp(`\\*\\*Add first step… → ([^*]+) → ${section} → ([^*]+)\\*\\*`);
	const [, node = '', entry = ''] = clicks.exec(readFileSync('README.md', 'utf8')) ?? [];
	return { creator: await editor.addFirstStep(node, section), entry };
}

test('whose data is missing is seen a minute after a node was added as the README says', async () => {
	await editor.openBlank();
	const movie = await Movie.begin(editor);
	await movie.show(1.5);
	const { creator, entry } = await addFirstStep('Actions');
	await creator.pointAt(entry);
	await movie.show(3.5);
	await takePicture('actions.png', async (file) => await creator.picture(file));
	const panel = await creator.add(entry);
	await movie.show(2.5);
	await panel.execute();
	await panel.table();
	await movie.show(4);
	await panel.chooseAll('dataStatuses', ['Never', 'Failed', 'Stale', 'Stuck']);
	await movie.show(2.5);
	await panel.execute();
	const [head = [], ...rows] = await panel.table();
	const statuses = rows.map((row) => row[head.indexOf('dataStatus')]);
	expect(statuses).not.toContain('fresh');
	expect(statuses.length).toBeGreaterThan(1);
	await movie.show(5);
	await takePicture('first-workflow.webp', async (file) => movie.write(file), 2_000_000);
	await editor.resize({ width: 1280, height: 800 });
	await panel.close();
});

test('the trigger is added as the README says, without another node', async () => {
	const { creator, entry } = await addFirstStep('Triggers');
	await (await creator.add(entry)).close();
	expect(await editor.nodeNames()).toEqual(['Engagement Uploads Trigger']);
});

test('fields are previewed before a node has run', async () => {
	const list = { resource: 'engagement', operation: 'getAll' };
	await openNew(
		manualTrigger(),
		actionNode('List Engagements', list, credential),
		actionNode('Get Last Uploads', { resource: 'upload', operation: 'getLast' }, credential),
	);
	const panel = await editor.openNode('Get Last Uploads');
	expect(await panel.previewOfInput()).toContain('externalEngagementId');
	await panel.close();
});

test('engagement and connector are selected from searchable lists', async () => {
	const { model } = sandbox.service;
	const start = { resource: 'upload', operation: 'start' };
	await openNew(manualTrigger(), actionNode('Upload', start, credential));
	const ids = MILLS.map(
		([name, externalEngagementId]) => model.addEngagement({ name, externalEngagementId }).id,
	);
	const panel = await editor.openNode('Upload');
	const shown = MILLS.map(([name, externalId]) => `${name} (${externalId})`);
	expect(await panel.search('engagementId', 'mill')).toEqual(shown);
	await takePicture('list.png', async (file) => await panel.pictureOfList(file));
	const [[name, externalId]] = MILLS;
	await panel.pick('engagementId', externalId, name);
	await panel.pick('connectorName', 'Fernbooks Online', 'fernbooks');
	await panel.execute();
	const path = `/v1/engagements/${ids[0]}/connectors/fernbooks/upload`;
	expect(sandbox.service.requests).toContainEqual(
		expect.objectContaining({ method: 'POST', path, status: 200 }),
	);
	await panel.close();
});

test('the trigger can be tested', async () => {
	await openNew(withCredential(makeNode('Upload Completed', TRIGGER_NODE), credential));
	const panel = await editor.openNode('Upload Completed');
	await panel.execute();
	expect(await panel.itemCount()).toBe('5 items');
	await panel.showFields();
	await panel.widen();
	await takePicture('trigger.png', async (file) => await panel.picture(file));
	await panel.close();
});

test('a wrong key is reported in the panel, with advice', async () => {
	const id = await sandbox.credential({ subscriptionApiKey: 'not-a-key-that-is-known' });
	const list = { resource: 'engagement', operation: 'getAll' };
	await openNew(manualTrigger(), actionNode('Engagements', list, id));
	const panel = await editor.openNode('Engagements');
	await panel.execute();
	const { message, advice } = await panel.error();
	expect(message).toMatch(/token endpoint rejected the subscription key \(401\).*invalid/);
	expect(advice).toMatch(/^Enter the Subscription Key/);
	await panel.widen();
	await takePicture('error.png', async (file) => await panel.picture(file, 'returnAll'));
});

test('a new credential needs the Base URL and the Subscription Key, and nothing else', async () => {
	const { service } = sandbox;
	const list = { resource: 'connector', operation: 'getAll' };
	await openNew(manualTrigger(), makeNode('Connectors', ACTION_NODE, list));
	const panel = await editor.openNode('Connectors');
	const form = await panel.newCredential();
	await form.type('baseUrl', 'https://api.example.com');
	await form.type('subscriptionApiKey', service.subscriptionKey);
	await takePicture('credential.png', async (file) => await form.picture(file));
	await form.type('baseUrl', service.url);
	await form.save();
	await panel.execute();
	expect(await panel.itemCount()).toBe(`${service.model.connectors.length} items`);
});
