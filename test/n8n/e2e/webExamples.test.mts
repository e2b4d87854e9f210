/** The examples in a browser: a page, a form, and an agent in a chat. */
import type { Browser } from 'playwright-core';
import { newVisitor, startBrowser } from '../browser/browser.mts';
import { Editor } from '../browser/editor.mts';
import { WITH_EDITOR } from '../process/n8n.mts';
import { waitUntil } from '../process/waitFor.mts';
import type { ToolCall } from '../standIns/languageModel.mts';
import { PAGE_LOGIN } from '../workflows/examples.mts';
import { ExampleRuns, HOSTILE_NAME } from './exampleRuns.mts';
import { takePicture } from './pictures.mts';
import { useOpened } from './setup.mts';

const DAY = 24 * 3_600_000;

let runs: ExampleRuns;
let browser: Browser;

useOpened(async () => (browser = await startBrowser()));
useOpened(async () => (runs = await ExampleRuns.open(WITH_EDITOR)));

beforeEach(() => runs.forget());

test('portfolio-agent answers from its tools, and refreshes after a Yes only, one at a time', async () => {
	const { model, rest, service } = runs;
	const workflow = await rest.createWorkflow(runs.findExample('portfolio-agent.json'));
	const viewport = { width: 1280, height: 1600 };
	const editor = await Editor.logIn(browser, runs.sandbox.n8n.url, { viewport });
	await editor.openWorkflow(workflow);
	const chat = await editor.openChat();
	const refresh = (engagementId: number): ToolCall => {
		const toolParameters = { Engagement_ID: String(engagementId) };
		return { tool: 'Refresh_Data', input: { toolParameters, hitlParameters: {} } };
	};

	model.replies.push(
		[{ tool: 'Get_Last_Upload', input: { Engagement_ID: 'the newest' } }],
		[{ tool: 'Get_Last_Upload', input: { Engagement_ID: '1008' } }],
		'Twelve days old.',
	);
	await chat.say('How old is the data of engagement 1008?');
	await chat.shows('Twelve days old.');
	const [mistake, last] = model.results;
	expect(mistake).toMatch(/the newest/);
	expect(last).toContain(`"uploadId":"${service.model.lastUpload(1008)?.uploadId}"`);

	model.replies.push([refresh(1008)], 'Then I leave it as it is.');
	await chat.say('Please refresh it.');
	await chat.shows('Shall I refresh the data of engagement 1008?');
	await chat.type('Yes, refresh');
	await chat.click('No');
	await chat.shows('Then I leave it as it is.');
	expect(runs.writes()).toEqual([]);

	// The model may repeat what a customer is called.
	const name = '<script>alert(1)</script> & <b>Sons</b>';
	model.replies.push(
		[{ tool: 'Get_Data_Status', input: { External_IDs: 'CRM-00009' } }],
		'No, it is stale: the last upload completed 45 days ago.',
	);
	await chat.say('Is the data of CRM-00009 fresh?');
	await chat.shows('No, it is stale');
	expect(model.results.at(-1)).toMatch(/"dataStatus":"stale".*"ageDays":45/);
	model.replies.push([refresh(1009)], `The refresh of ${name} has started.`);
	await chat.say('Then refresh it, please.');
	await chat.shows('Shall I refresh the data of engagement 1009?');
	await takePicture('agent.png', async (path) => await chat.picture(path));
	await chat.click('Yes, refresh');
	await chat.shows(`The refresh of ${name} has started.`);
	expect(runs.writes()).toMatchObject([
		{ path: expect.stringMatching(/^\/v1\/engagements\/1009\/.*\/refresh$/), status: 200 },
	]);

	// n8n can ask about one call at a time only: it shows no question about two, and refreshes nothing.
	model.replies.push([refresh(1008), refresh(1009)]);
	await chat.say('And now both.');
	const isWaiting = async () => (await rest.listExecutions(workflow.id, ['waiting'])).length > 0;
	await waitUntil(isWaiting, 'the agent to wait');
	expect(runs.writes()).toHaveLength(1);
});

test('status-page shows whose data is stale, to those with the password, and needs no script', async () => {
	const { service } = runs;
	const { user, password } = PAGE_LOGIN;
	const address = `${runs.sandbox.n8n.url}/webhook/data-status`;
	const history = [96, 103, 115, 111, 124, 139, 150, 161].map((fresh, index) => {
		const day = new Date(Date.now() - (80 - 10 * index) * DAY).toISOString().slice(0, 10);
		return { day, customers: 250, fresh, disabled: 10 };
	});
	const night = async () => await runs.run('status-page.json', { start: 'Every Night at 2' });
	// Creates the table.
	await night();
	await runs.addRows('Portfolio by day', history);
	await night();
	// Today's counts are in one row.
	expect(await runs.rows('Portfolio by day')).toHaveLength(history.length + 1);
	runs.addCustomer({ name: HOSTILE_NAME, active: false });
	await runs.publish('status-page.json');
	expect((await fetch(address)).status).toBe(401);
	const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
	service.fail({ path: /\/engagements$/ }, { kind: 'status', status: 403 });
	const failed = await fetch(address, { headers });
	expect(failed.status).toBe(503);
	expect(await failed.text()).toContain('cannot be read at the moment');

	const visitor = await newVisitor(browser, {
		httpCredentials: { username: user, password },
		javaScriptEnabled: false,
		viewport: { width: 1060, height: 609 },
	});
	const page = await visitor.newPage();
	const response = await page.goto(address);
	expect(response?.headers()['content-security-policy']).toMatch(/^sandbox/);
	await takePicture('status-page.png', async (path) => await page.screenshot({ path }));
	const rows = await page.locator('tbody tr').allInnerTexts();
	expect(rows).toHaveLength(service.model.engagements.all.length);
	expect(rows.join()).toContain(HOSTILE_NAME);
	const statuses = rows.map((row) => row.split('\t')[2]);
	expect([statuses[0], statuses.at(-1)]).toEqual(['never', 'disabled']);
	const legend = await page.locator('li').allInnerTexts();
	const fresh = statuses.filter((status) => status === 'fresh').length;
	expect(legend).toContainEqual(expect.stringContaining(`${fresh} fresh`));
	const points = await page.locator('polyline').getAttribute('points');
	expect(points).toMatch(/^10\.00,60\.00( \d0\.00,\d+\.\d\d){7} 90\.00,\d+\.\d\d$/);

	// For a minute, the service is not asked again.
	service.clearRequests();
	await page.reload();
	expect(await page.locator('tbody tr').allInnerTexts()).toEqual(rows);
	expect(service.requests).toEqual([]);
});

test('onboarding-form leads the customer to the link, and corrects wrong input', async () => {
	await runs.publish('onboarding-form.json');
	const visitor = await newVisitor(browser, { viewport: { width: 800, height: 630 } });
	const page = await visitor.newPage();
	const number = page.getByLabel('Customer number');
	const filledIn = '?Company%20name=Thorpe%20%26%20Daughters&Customer%20number=CRM-09876';
	await page.goto(`${runs.sandbox.n8n.url}/form/onboarding${filledIn}`);
	expect(await page.getByLabel('Company name').inputValue()).toBe('Thorpe & Daughters');
	expect(await number.inputValue()).toBe('CRM-09876');
	// Such an address fills in the form that asks again, too.
	await page.goto(`${runs.sandbox.n8n.url}/form/onboarding`);
	const fill = async (label: string, text: string) => await page.getByLabel(label).fill(text);
	const submit = async () => await page.getByRole('button', { name: 'Continue' }).click();
	await fill('Company name', 'Thorpe & Daughters');
	await number.fill('CRM-09876');
	await fill('First name', 'Ada');
	await fill('Last name', 'Thorpe');
	await fill('Email address', 'accounts@thorpe.example');
	await page.getByLabel('Accounting package').selectOption('Quillstone Cloud');
	const form = page.locator('#n8n-form');
	await takePicture('onboarding-form.png', async (path) => await form.screenshot({ path }));
	// A mistake that would be a command to the page or a sheet.
	const mistake = '"><script>alert(1)</script>=1+1';
	await number.fill(mistake);
	await submit();
	await page.getByText('That is not a customer number').waitFor();
	expect(await number.inputValue()).toBe(mistake);
	expect(runs.writes()).toEqual([]);

	await number.fill('CRM-09876');
	await submit();
	await page.getByText('Here your customer would share the data').waitFor();
	expect(page.url()).toContain(`${runs.service.url}/authorise/`);
	expect(runs.writes().map(({ path, body }) => [path.split('/').at(-1), body])).toEqual([
		['engagements', { sme: { name: 'Thorpe & Daughters' }, externalEngagementId: 'CRM-09876' }],
		['upload', undefined],
	]);
	const sent = async () => (await runs.rows('Customers to onboard')).find(({ sentOn }) => sentOn);
	expect(await waitUntil(sent, 'the row of the customer')).toMatchObject({
		customerNumber: 'CRM-09876',
		email: 'accounts@thorpe.example',
		firstName: 'Ada',
		problem: null,
	});
});
