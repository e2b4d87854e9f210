/** The examples that are called over the web: pages and forms. */
import type { Browser } from 'playwright-core';
import { newVisitor, startBrowser } from '../browser/browser.mts';
import { PAGE_LOGIN } from '../workflows/examples.mts';
import { waitUntil } from '../process/waitFor.mts';
import { shown } from '../standIns/shown.mts';
import { WITH_EDITOR } from '../process/n8n.mts';
import { ExampleRuns, HOSTILE_WORDS, type Change } from './exampleRuns.mts';
import { takePicture } from './pictures.mts';
import { useOpened } from './setup.mts';

const DAY = 24 * 3_600_000;
/** The status page lists this many customers at most. */
const MAX_ROWS = 500;

let runs: ExampleRuns;
let browser: Browser;

useOpened(async () => (browser = await startBrowser()));
useOpened(async () => (runs = await ExampleRuns.open({ env: WITH_EDITOR })));

beforeEach(() => runs.service.clearRequests());

describe('status-page', () => {
	const { user, password } = PAGE_LOGIN;
	const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
	const address = () => `${runs.sandbox.n8n.url}/webhook/data-status`;
	const visit = async () => await fetch(address(), { headers: { authorization } });
	let id: string;

	// Both tests publish a workflow with this address.
	afterEach(async () => await runs.rest.deactivate({ id }));

	/** So that no test depends on how long this machine takes. */
	const remembering = (ms: number): Change => ({
		replace: { 'ONE_MINUTE = 60_000': `ONE_MINUTE = ${ms}` },
	});

	test('shows whose data is old, to those with the password, and needs no script', async () => {
		const { service } = runs;
		await runs.run('status-page.json', { start: 'Every Night at 2' });
		const history = [96, 103, 115, 111, 124, 139, 150, 161].map((fresh, index) => {
			const day = new Date(Date.now() - (80 - 10 * index) * DAY).toISOString().slice(0, 10);
			return { day, customers: 250, fresh, disabled: 10 };
		});
		await runs.addRows('Portfolio by day', history);
		id = await runs.publish('status-page.json', remembering(3_600_000));
		expect((await fetch(address())).status).toBe(401);

		const visitor = await newVisitor(browser, {
			httpCredentials: { username: user, password },
			javaScriptEnabled: false,
			viewport: { width: 1060, height: 609 },
		});
		const page = await visitor.newPage();
		const response = await page.goto(address());
		expect(response?.headers()['content-security-policy']).toMatch(/^sandbox/);
		const rows = await page.locator('tbody tr').allInnerTexts();
		const cells = rows.map((row) => row.split('\t'));
		expect(cells).toHaveLength(service.model.engagements.all.length);
		const legend = await page.locator('li').allInnerTexts();
		const inLegend = legend.map((entry) => entry.split(' '));
		const statuses = cells.map(([, , status]) => status);
		expect(statuses).toEqual(
			inLegend.flatMap(([count, status]) => Array<string>(Number(count)).fill(String(status))),
		);
		expect([statuses[0], statuses.at(-1)]).toEqual(['failed', 'disabled']);
		const ages = cells
			.filter(([, , status]) => status === 'fresh')
			.map(([, , , age]) => Number.parseInt(String(age), 10));
		expect(ages).toEqual([...ages].sort((a, b) => b - a));
		const widths = await page
			.locator('.bar span')
			.evaluateAll((parts) => parts.map(({ style }) => Number.parseFloat(style.width)));
		expect(widths.reduce((sum, width) => sum + width)).toBeCloseTo(100, 0);
		const points = await page.locator('polyline').getAttribute('points');
		expect(points).toMatch(/^10\.00,60\.00( \d0\.00,\d+\.\d\d){7} 90\.00,\d+\.\d\d$/);
		expect(await page.locator('.history').innerText()).toMatch(
			/^Fresh: 40% on \d{1,2} [A-Z][a-z]{2} \d{4}, \d+% now, without disabled/,
		);
		await takePicture('status-page.png', async (path) => await page.screenshot({ path }));

		expect(await page.locator('p').first().innerText()).toMatch(/, \d\d:\d\d$/);
		await page.setViewportSize({ width: 390, height: 844 });
		const { x = 0, width = 0 } = (await page.locator('table').boundingBox()) ?? {};
		expect(x + width).toBeLessThanOrEqual(390);
		await takePicture('status-page-phone.png', async (path) => await page.screenshot({ path }));
		await page.setViewportSize({ width: 1060, height: 609 });

		service.clearRequests();
		await page.reload();
		expect(await page.locator('tbody tr').allInnerTexts()).toEqual(rows);
		expect(service.requests).toEqual([]);
	});

	test('reads the service again after a minute, shows names as words, and apologises if it cannot', async () => {
		const { service } = runs;
		id = await runs.publish('status-page.json', remembering(0));
		for (const name of HOSTILE_WORDS) service.model.addEngagement({ name });
		const others = MAX_ROWS - service.model.engagements.all.length;
		for (let count = 0; count < others + 70; count += 1) runs.addCustomer({});
		const page = await (await visit()).text();
		for (const word of HOSTILE_WORDS) expect(shown(page)).toContain(word);
		expect(page).toContain('<p>and 70 more, 69 fresh, 1 disabled</p>');
		service.fail({ path: /\/engagements$/ }, { kind: 'status', status: 403 });
		const failed = await visit();
		expect(failed.status).toBe(503);
		expect(await failed.text()).toContain('cannot be read at the moment');
		expect((await visit()).status).toBe(200);
	});
});

test('onboarding-form leads the customer to the link, and corrects wrong input', async () => {
	await runs.publish('onboarding-form.json');
	const visitor = await newVisitor(browser, { viewport: { width: 800, height: 630 } });
	const page = await visitor.newPage();
	const filledIn = '?Company%20name=Thorpe%20%26%20Daughters&Customer%20number=CRM-09876';
	await page.goto(`${runs.sandbox.n8n.url}/form/onboarding${filledIn}`);
	const fill = async (label: string, text: string) => await page.getByLabel(label).fill(text);
	const submit = async () => await page.getByRole('button', { name: 'Continue' }).click();

	expect(await page.getByLabel('Company name').inputValue()).toBe('Thorpe & Daughters');
	expect(await page.getByLabel('Customer number').inputValue()).toBe('CRM-09876');
	// Such an address fills in the form that asks again, too.
	await page.goto(`${runs.sandbox.n8n.url}/form/onboarding`);
	await fill('Company name', 'Thorpe & Daughters');
	await fill('Customer number', 'CRM-09876');
	await fill('First name', 'Ada');
	await fill('Last name', 'Thorpe');
	await fill('Email address', 'accounts@thorpe.example');
	await page.getByLabel('Accounting package').selectOption('Quillstone Cloud');
	const form = page.locator('#n8n-form');
	await takePicture('onboarding-form.png', async (path) => await form.screenshot({ path }));
	// A mistake that would be a command to the page or a sheet.
	const mistake = '"><script>alert(1)</script>=1+1';
	await fill('Customer number', mistake);
	await fill('Email address', 'accounts at thorpe');
	await fill('Company name', '');
	await submit();
	await page.getByText('Enter a valid email address in this field').waitFor();
	await page.getByText('This field is required').first().waitFor();
	await fill('Email address', 'accounts@thorpe.example');
	await fill('Company name', 'Thorpe & Daughters');
	await submit();
	await page.getByText('That is not a customer number').waitFor();
	expect(await page.getByLabel('Customer number').inputValue()).toBe(mistake);
	expect(runs.writes()).toEqual([]);

	await fill('Customer number', 'CRM-09876');
	await submit();
	await page.getByText('Here your customer would share the data').waitFor();
	expect(runs.writes().map(({ path, body }) => [path.split('/').slice(-2), body])).toEqual([
		[
			expect.arrayContaining(['engagements']),
			{ sme: { name: 'Thorpe & Daughters' }, externalEngagementId: 'CRM-09876' },
		],
		[['quillstone', 'upload'], undefined],
	]);
	const sent = async () => (await runs.rows('Customers to onboard')).find(({ sentOn }) => sentOn);
	expect(await waitUntil(sent, { what: 'the row of the customer' })).toMatchObject({
		customerNumber: 'CRM-09876',
		email: 'accounts@thorpe.example',
		firstName: 'Ada',
		problem: null,
	});
	expect(page.url()).toContain(`${runs.service.url}/authorise/`);
});
