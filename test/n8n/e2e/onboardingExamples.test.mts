/** From a table, a reminder or a form to the link through which the customer shares data. */
import type { Browser } from 'playwright-core';
import { newVisitor, startBrowser } from '../browser/browser.mts';
import { waitUntil } from '../process/waitFor.mts';
import { ExampleRuns, HOSTILE_NAME, HOSTILE_WORDS } from './exampleRuns.mts';
import { takePicture } from './pictures.mts';
import { useOpened } from './setup.mts';

const DAY = 24 * 3_600_000;
const TABLE = 'Customers to onboard';

let runs: ExampleRuns;
let browser: Browser;

useOpened(async () => (browser = await startBrowser()));
useOpened(async () => (runs = await ExampleRuns.open()));

test('onboard-customers writes the link back, sends it once, and says in the row what went wrong', async () => {
	const { model } = runs.service;
	const onboard = async () => await runs.run('onboard-customers.json');
	const row = async (customerNumber: string) =>
		(await runs.rows(TABLE)).find((each) => each.customerNumber === customerNumber) ?? {};
	const emails = (name: string) => runs.messages.filter((each) => each.includes(name));
	// Creates the table.
	await onboard();
	model.addEngagement({ name: 'Corfe Bakery', externalEngagementId: 'CRM-00801' });
	const add = (customerNumber: string, name: string, more = {}) => ({
		customerNumber,
		name,
		email: `${customerNumber}@customer.example`,
		accountingPackage: 'Fernbooks Online',
		...more,
	});
	await runs.addRows(TABLE, [
		add('CRM-00801', 'Corfe Bakery'),
		add('CRM-00802', 'Dunmore Smithy', { accountingPackage: 'Inkwell' }),
		add('CRM-00803', 'Elmswell Joinery', { email: 'no address' }),
		...HOSTILE_WORDS.map((name, index) => add(`CRM-0081${index}`, name)),
	]);
	runs.service.clearRequests();
	await onboard();

	const known = await row('CRM-00801');
	expect(known).toMatchObject({ wasCreated: false, problem: null });
	expect(known.sentOn).toEqual(expect.any(String));
	expect(emails('of Corfe Bakery')).toEqual([
		expect.stringMatching(/To: CRM-00801@customer\.example/i),
	]);
	expect(emails('of Corfe Bakery')[0]).toContain(`\n${String(known.link)}\n`);
	for (const [index, name] of HOSTILE_WORDS.entries()) {
		expect(await row(`CRM-0081${index}`)).toMatchObject({ name, wasCreated: true, problem: null });
		expect(emails(`of ${name} with us`)).toHaveLength(1);
	}
	expect(await row('CRM-00802')).toMatchObject({
		link: null,
		problem: expect.stringContaining('Inkwell'),
	});
	const unsent = await row('CRM-00803');
	expect(unsent).toMatchObject({ sentOn: null, problem: expect.any(String) });
	expect(unsent.link).toMatch(/^http/);

	// A row that was corrected is tried again: the saved link is sent, and no other upload is started.
	await runs.updateRow(TABLE, 'CRM-00803', { email: 'joinery@customer.example', problem: '' });
	runs.service.clearRequests();
	await onboard();
	expect(runs.writes()).toEqual([]);
	expect(emails('of Elmswell Joinery')).toEqual([
		expect.stringContaining(`\n${String(unsent.link)}\n`),
	]);
});

test('chase-customers reminds kindly, then firmly, then tells a colleague, each once', async () => {
	const { model } = runs.service;
	const add = (name: string, days: number, email = 'owner@fairford.example') => {
		const createdAt = Date.now() - days * DAY - 1000;
		const { id, owner } = model.addEngagement({
			name: `${HOSTILE_NAME} ${name}`,
			createdAt,
			externalEngagementId: `= ${name}`,
		});
		model.updateEngagement(id, { owner: { ...owner, email } });
		return { id, owner };
	};
	add('Fairford Studios', 6);
	const first = add('Elmswell Joinery', 12);
	add('Glenham Weavers', 28);
	add('Corfe Printers', 56);
	add('Hartwell Logistics', 12, '');
	add('Ashby Dental Practice', 30, '');
	const wrong = add('Dunmore Smithy', 12, 'no address');
	const reminders = async () => {
		runs.messages.length = 0;
		await runs.run('chase-customers.json');
		return runs.messages.filter((each) => /asked you|has not shared/.test(each));
	};
	const emails = await reminders();
	const about = (name: string) => emails.filter((each) => each.includes(name));
	expect(about(HOSTILE_NAME)).toHaveLength(3);
	const customer = 'To: owner@fairford.example';
	expect(about('Elmswell Joinery')).toEqual([
		expect.stringMatching(new RegExp(`${customer}.*12 days ago, we asked you`, 's')),
	]);
	expect(about('Glenham Weavers')).toEqual([
		expect.stringMatching(/To: team@.*has not shared any data in 28 days/s),
	]);
	expect(about('Ashby Dental Practice')).toEqual([expect.stringContaining('no email address')]);
	expect(runs.messages).toContainEqual(
		expect.stringMatching(/To: team@.*The reminder to .*Dunmore Smithy/s),
	);
	// One is new, one has had all reminders, and one has no email address.
	for (const name of ['Fairford Studios', 'Corfe Printers', 'Hartwell Logistics'])
		expect(about(name)).toEqual([]);
	const link = `${runs.sandbox.n8n.url}/form/onboarding?Customer%20number=%3D%20Elmswell%20Joinery&`;
	expect(about('Elmswell Joinery')[0]).toContain(`\n${link}`);
	// What could not be sent is not remembered.
	model.updateEngagement(wrong.id, { owner: { ...wrong.owner, email: 'smithy@dunmore.example' } });
	expect(await reminders()).toEqual([
		expect.stringMatching(/To: smithy@dunmore.*12 days ago, we asked you/s),
	]);
	expect(await reminders()).toEqual([]);
	model.updateEngagement(first.id, { createdAt: Date.now() - 15 * DAY });
	expect(await reminders()).toEqual([
		expect.stringMatching(new RegExp(`${customer}.*We asked you for`, 's')),
	]);
});

test('onboarding-form leads the customer to the link, and corrects wrong input', async () => {
	runs.service.clearRequests();
	await runs.publish('onboarding-form.json');
	const visitor = await newVisitor(browser, { viewport: { width: 800, height: 630 } });
	const page = await visitor.newPage();
	const filledIn = '?Company%20name=Thorpe%20%26%20Daughters&Customer%20number=CRM-09876';
	await page.goto(`${runs.sandbox.n8n.url}/form/onboarding${filledIn}`);
	const fill = async (label: string, text: string) => await page.getByLabel(label).fill(text);
	const submit = async () => await page.getByRole('button', { name: 'Continue' }).click();

	expect(await page.getByLabel('Company name').inputValue()).toBe('Thorpe & Daughters');
	expect(await page.getByLabel('Customer number').inputValue()).toBe('CRM-09876');
	await page.goto(`${runs.sandbox.n8n.url}/form/onboarding`);
	await fill('Company name', 'Thorpe & Daughters');
	await fill('Customer number', 'CRM-09876');
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
	const [upload] = runs.service.model.uploads.all.slice(-1);
	expect(page.url()).toContain(`${runs.service.url}/authorise/`);
	const isComplete = () => {
		runs.service.model.clock.settle();
		return upload?.completedAt !== null;
	};
	await waitUntil(isComplete, { what: 'the upload that the customer has shared' });
});
