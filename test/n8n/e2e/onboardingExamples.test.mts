/** From a table or a reminder to the link through which the customer shares data. */
import { ExampleRuns, HOSTILE_NAME, HOSTILE_WORDS, withLineBreaks } from './exampleRuns.mts';
import { useOpened } from './setup.mts';

const DAY = 24 * 3_600_000;
const TABLE = 'Customers to onboard';
const LINK = 'https://service.example/authorise/1';

let runs: ExampleRuns;

useOpened(async () => (runs = await ExampleRuns.open()));

const onboard = async () => await runs.run('onboard-customers.json');
const rowOf = async (customerNumber: string) =>
	(await runs.rows(TABLE)).find((each) => each.customerNumber === customerNumber) ?? {};
const emailsAbout = (name: string) => runs.messages.filter((each) => each.includes(name));

/** A row of the table of customers. */
const customer = (customerNumber: string, name: string, more = {}) => ({
	customerNumber,
	name,
	email: `${customerNumber}@customer.example`.toLowerCase(),
	accountingPackage: 'fernbooks',
	...more,
});

test('onboard-customers writes the link back, sends it once, and says in the row what went wrong', async () => {
	const { model } = runs.service;
	// Creates the table.
	await onboard();
	model.addEngagement({ name: 'Corfe Bakery', externalEngagementId: 'CRM-00801' });
	await runs.addRows(TABLE, [
		customer('CRM-00801', 'Corfe Bakery'),
		customer('CRM-00802', 'Dunmore Smithy', { accountingPackage: 'Inkwell' }),
		customer('CRM-00803', 'Elmswell Joinery', { email: 'no address' }),
		customer('CRM-00804', 'Glenham Weavers', { accountingPackage: 'larkfield' }),
		...HOSTILE_WORDS.map((name, index) => customer(`CRM-0081${index}`, name)),
	]);
	const body = { type: 'REDIRECT', redirectUrl: null };
	runs.service.fail({ path: /\/larkfield\/upload$/ }, { kind: 'status', status: 200, body });
	runs.service.clearRequests();
	await onboard();

	const known = await rowOf('CRM-00801');
	expect(known).toMatchObject({ wasCreated: false, problem: null });
	expect(known.sentOn).toEqual(expect.any(String));
	expect(emailsAbout('of Corfe Bakery')).toEqual([
		expect.stringMatching(/To: CRM-00801@customer\.example/i),
	]);
	expect(emailsAbout('of Corfe Bakery')[0]).toContain(`\n${String(known.link)}\n`);
	for (const [index, name] of HOSTILE_WORDS.entries()) {
		const externalEngagementId = `CRM-0081${index}`;
		const own = { name, wasCreated: true, problem: null };
		expect(await rowOf(externalEngagementId)).toMatchObject(own);
		expect(emailsAbout(`of ${name} with us`)).toHaveLength(1);
		// No contact, which the service would drop.
		expect(runs.writes().map((each) => each.body)).toContainEqual({
			sme: { name },
			externalEngagementId,
		});
	}
	const unknown = { link: null, problem: expect.stringContaining('Inkwell') };
	expect(await rowOf('CRM-00802')).toMatchObject(unknown);
	const unlinked = { link: null, sentOn: null, problem: expect.any(String) };
	expect(await rowOf('CRM-00804')).toMatchObject(unlinked);
	expect(emailsAbout('Glenham Weavers')).toEqual([]);
	const unsent = await rowOf('CRM-00803');
	expect(unsent).toMatchObject({ sentOn: null, problem: expect.any(String) });
	expect(unsent.link).toMatch(/^http/);

	// A row that was corrected is tried again: the saved link is sent, and no other upload is started.
	await runs.updateRow(TABLE, 'CRM-00803', { email: 'joinery@customer.example', problem: '' });
	runs.service.clearRequests();
	await onboard();
	expect(runs.writes()).toEqual([]);
	expect(emailsAbout('of Elmswell Joinery')).toEqual([
		expect.stringContaining(`\n${String(unsent.link)}\n`),
	]);
});

test('onboard-customers starts each upload once, even if two runs overlap', async () => {
	const ids = Array.from({ length: 6 }, (_, index) => `CRM-0083${index}`);
	await runs.addRows(
		TABLE,
		ids.map((id) => customer(id, `Bramley Plumbing ${id}`)),
	);
	runs.service.clearRequests();
	await Promise.all([onboard(), onboard()]);
	expect(runs.writes().filter(({ path }) => path.endsWith('/upload'))).toHaveLength(ids.length);
	for (const id of ids) expect(emailsAbout(`of Bramley Plumbing ${id}`)).toHaveLength(1);
});

describe('chase-customers', () => {
	const AT_ONCE = {
		'"firmAfterDays","type":"number","value":7': '"firmAfterDays","type":"number","value":0',
		'"callAfterDays","type":"number","value":14': '"callAfterDays","type":"number","value":0',
	};
	const daysAgo = (days: number) => new Date(Date.now() - days * DAY - 1000);

	/** The emails of a run about customers of this name. */
	const chase = async (name: string, replace: Record<string, string> = {}) => {
		runs.messages.length = 0;
		await runs.run('chase-customers.json', { replace });
		return emailsAbout(name).sort();
	};

	test('begins kindly whoever it is, ends with a call, and asks a colleague without an address', async () => {
		await onboard();
		const { model } = runs.service;
		const name = `${HOSTILE_NAME} Chased`;
		const add = (externalEngagementId: string, more = {}) =>
			model.addEngagement({
				name: withLineBreaks(`${name} ${externalEngagementId}`),
				externalEngagementId,
				createdAt: daysAgo(300).getTime(),
				relationshipManager: 'Robin Field',
				...more,
			});
		const failing = add('= 850');
		add('LOAN 851');
		add('LOAN 852', { status: 'DISABLED', active: false });
		const ended = add('LOAN 853');
		const { owner } = add('LOAN 854');
		const open = add('LOAN 855');
		model.addUpload({ engagementId: open.id, status: 'PROCESSING' });
		model.addCompletedUpload({ engagementId: ended.id });
		await runs.addRows(TABLE, [
			...['= 850', 'LOAN 852', 'LOAN 853', 'LOAN 855'].map((id) =>
				customer(id, name, {
					email: 'one@chased.example',
					link: LINK,
					sentOn: daysAgo(300).toISOString(),
				}),
			),
			customer('LOAN 851', name, { email: 'no address', link: LINK }),
		]);
		const toOwner = (text: string) =>
			expect.stringMatching(new RegExp(`To: ${owner.email}.*${text}.*Robin Field`, 's'));
		// One address is wrong, one is missing, and the others are disabled, done, or at it.
		const emails = await chase(`${name} `);
		expect(emails).toHaveLength(3);
		expect(emails).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/To: one@chased\.example.*We would like/s),
				toOwner('no email address or link'),
				expect.stringMatching(/To: team@lender\.example.*The reminder to .*LOAN 851/s),
			]),
		);
		expect(emails.join()).toContain(`\n${LINK}\n`);
		// What could not be sent is not remembered.
		await runs.updateRow(TABLE, 'LOAN 851', { email: 'two@chased.example' });
		expect(await chase(`${name} `)).toEqual([
			expect.stringMatching(/To: two@chased\.example.*We would like/s),
		]);
		model.addUpload({ engagementId: failing.id, status: 'FAILED' });
		const [firm] = await chase(`${name} = 850`, AT_ONCE);
		expect(firm).toMatch(/To: one@chased\.example.*we asked you/s);
		const calls = await chase(name, AT_ONCE);
		expect(calls).toHaveLength(2);
		for (const to of ['one', 'two'])
			expect(calls).toContainEqual(toOwner(`although we wrote to ${to}@chased.example on`));
		expect(await chase(name, AT_ONCE)).toEqual([]);
	});
});
