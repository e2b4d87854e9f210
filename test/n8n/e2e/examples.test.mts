/** The examples that need no browser, but for those of every commit. */
import { DateTime } from 'luxon';
import { REPLACED, SLACK_CHANNEL, UNREPLACED } from '../workflows/examples.mts';
import { ExampleRuns, HOSTILE_NAME, HOSTILE_WORDS, withLineBreaks } from './exampleRuns.mts';
import { listRecords, useOpened } from './setup.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let runs: ExampleRuns;

useOpened(async () => (runs = await ExampleRuns.open()));

beforeEach(() => runs.forget());

test.each([
	['onboard-customers.json', { [REPLACED]: UNREPLACED }],
	['chase-customers.json', { [REPLACED]: UNREPLACED }],
	['refresh-then-notify.json', { [SLACK_CHANNEL]: '' }],
])('%s stops until it knows where to send', async (file, replace) => {
	const { error } = await runs.attempt(file, { replace });
	expect(error?.message).toMatch(/Replace the addresses in Settings|has issues/);
	expect([...runs.messages, ...runs.writes()]).toEqual([]);
});

test.each([
	['uploads-google-sheets.json', () => runs.receivers.sheet],
	['uploads-excel.json', () => runs.receivers.workbook],
])('%s adds uploads as they are, each once', async (file, sheet) => {
	const completedAt = Date.now() - 2 * HOUR;
	const add = (name: string) =>
		runs.addCustomer({ name, externalEngagementId: name }, { completedAt }).uploadId;
	const hostile = HOSTILE_WORDS.map(add);
	const failed = add('Dunmore Smithy');
	runs.service.model.updateUpload(failed, { status: 'Extraction failed' });
	const night = async () => await runs.run(file, { start: 'Every Night at 4' });
	await runs.run(file, { start: 'Upload Completed' });
	const uploads = listRecords(await night(), 'Get Recent Uploads');
	await night();
	const contents = (records: Array<Record<string, unknown>>) =>
		records.map((each) => [each.uploadId, each.engagementName, each.externalEngagementId ?? '']);
	const { records } = sheet();
	expect(contents(records)).toEqual(expect.arrayContaining(contents(uploads)));
	const ids = records.map(({ uploadId }) => uploadId);
	expect(ids).toHaveLength(new Set(ids).size);
	expect(ids).toEqual(expect.arrayContaining(hostile));
	expect(ids).not.toContain(failed);
	expect(Object.keys(records[0] ?? {}).sort()).toEqual(Object.keys(uploads[0] ?? {}).sort());
});

test('chase-customers begins kindly, ends with a call, and asks a colleague without an address', async () => {
	const { model } = runs.service;
	const table = 'Customers to onboard';
	const name = `${HOSTILE_NAME} Chased`;
	const link = 'https://service.example/authorise/1';
	const sentOn = new Date(Date.now() - 300 * DAY);
	const atOnce = {
		'"firmAfterDays","type":"number","value":7': '"firmAfterDays","type":"number","value":0',
		'"callAfterDays","type":"number","value":14': '"callAfterDays","type":"number","value":0',
	};
	/** The emails of a run about these customers. */
	const chase = async (replace: Record<string, string> = {}) => {
		runs.forget();
		await runs.run('chase-customers.json', { replace });
		return runs.messages.filter((each) => each.includes(name)).sort();
	};
	const add = (externalEngagementId: string, more = {}) =>
		model.addEngagement({
			name: withLineBreaks(name),
			externalEngagementId,
			createdAt: sentOn.getTime(),
			relationshipManager: 'Robin Field',
			...more,
		});
	// Creates the table.
	await chase();
	const failing = add('= 850');
	add('LOAN 851');
	add('LOAN 852', { status: 'DISABLED', active: false });
	model.addCompletedUpload({ engagementId: add('LOAN 853').id });
	model.addUpload({ engagementId: add('LOAN 855').id, status: 'PROCESSING' });
	await runs.addRows(
		table,
		['= 850', 'LOAN 851', 'LOAN 852', 'LOAN 853', 'LOAN 855'].map((customerNumber) => ({
			customerNumber,
			name,
			email: customerNumber === 'LOAN 851' ? 'no address' : 'one@chased.example',
			accountingPackage: 'fernbooks',
			link,
			sentOn: sentOn.toISOString(),
		})),
	);
	const { owner } = add('LOAN 854');
	const toOwner = (text: string) =>
		expect.stringMatching(new RegExp(`To: ${owner.email}.*${text}.*Robin Field`, 's'));
	// One address is wrong, one is missing, and the others are disabled, done, or at it.
	const emails = await chase();
	expect(emails).toHaveLength(3);
	expect(emails).toEqual(
		expect.arrayContaining([
			expect.stringMatching(/To: one@chased\.example.*We would like/s),
			toOwner('no email address or link'),
			expect.stringMatching(/To: team@lender\.example.*The reminder to .*LOAN 851/s),
		]),
	);
	expect(emails.join()).toContain(`\n${link}\n`);
	// What could not be sent is not remembered.
	await runs.updateRow(table, 'LOAN 851', { email: 'two@chased.example' });
	expect(await chase()).toEqual([expect.stringMatching(/To: two@chased\.example.*We would like/s)]);
	model.addUpload({ engagementId: failing.id, status: 'FAILED' });
	const firm = await chase(atOnce);
	expect(firm).toHaveLength(2);
	expect(firm).toContainEqual(expect.stringMatching(/To: one@chased\.example.*we asked you/s));
	const calls = await chase(atOnce);
	for (const to of ['one', 'two'])
		expect(calls).toContainEqual(toOwner(`although we wrote to ${to}@chased.example on`));
	expect(await chase(atOnce)).toEqual([]);
});

test('missing-period lists who has not uploaded since the period ended', async () => {
	const { model } = runs.service;
	const name = `${HOSTILE_NAME} Ltd`;
	const now = new Date();
	const quarter = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (now.getUTCMonth() % 3));
	const completedAt = quarter - 1000;
	const { engagementId: id } = runs.addCustomer({ name: withLineBreaks(name) }, { completedAt });
	runs.addCustomer({ name }, { createdAt: Date.now() - HOUR });
	const disabled = model.addEngagement({ name, active: false });
	model.addCompletedUpload({ engagementId: disabled.id, completedAt });
	/** The lines about these customers, as if the deadline had passed so many days ago. */
	const after = async (days: number) => {
		runs.forget();
		const daysToUpload = Math.floor((Date.now() - quarter) / DAY) - days;
		await runs.run('missing-period.json', { replace: { '"20"': `"${daysToUpload}"` } });
		const lines = runs.messages.join('\n').split('\n');
		return lines.filter((line) => line.startsWith(name));
	};
	const date = DateTime.fromMillis(completedAt, { zone: 'UTC' }).toFormat('d LLL yyyy');
	const customer = `${name} (engagement ${id})`;
	expect(await after(-1)).toEqual([]);
	expect(await after(1)).toEqual([`${customer}: stale, last upload completed on ${date}`]);
	// Named again ten days after the deadline, and only then.
	expect(await after(9)).toEqual([]);
	model.addUpload({ engagementId: id, status: 'FAILED' });
	expect(await after(9)).toEqual([`${customer}: failed`]);
	expect(await after(11)).toEqual([`${customer}: failed`]);
});

test('weekly-digest sends each relationship manager their own customers', async () => {
	const { model } = runs.service;
	const manager = (email: string, statusCode = 'ACTIVE') => {
		const { firstName, lastName } = model.addUser({ lastName: email, email, statusCode });
		return `${firstName} ${lastName}`;
	};
	const nobody = { firstName: '', lastName: '', email: '', phone: null, title: null };
	const owner = { ...nobody, email: 'owner@lender.example' };
	const [one, gone] = [manager('one@lender.example'), manager('gone@lender.example', 'DISABLED')];
	const add = (name: string, relationshipManager: string) =>
		model.addEngagement({ name, relationshipManager, owner }).id;
	const id = add(withLineBreaks(HOSTILE_NAME), one);
	const orphan = add('Glenham Weavers', gone);
	// A customer of the manager's name.
	const [firstName = '', lastName = ''] = gone.split(' ');
	const sme = { ...nobody, firstName, lastName, email: 'gone@customer.example' };
	model.addSme(sme, { status: 1, statusCode: 'ACTIVE' });
	model.addEngagement({ name: 'Harbury Mills', relationshipManager: '', owner: nobody });
	runs.addCustomer({ relationshipManager: one });
	await runs.run('weekly-digest.json');
	const sentTo = (email: string) => runs.messages.filter((each) => each.includes(`To: ${email}`));
	const [digest = '', ...others] = sentTo('one@lender.example');
	expect(others).toEqual([]);
	expect(digest).toContain(`Subject: 1 customer of ${one} needs attention`);
	expect(digest).toContain(`\n${HOSTILE_NAME} (engagement ${id}): no upload yet`);
	for (const email of ['gone@lender.example', 'gone@customer.example'])
		expect(sentTo(email)).toEqual([]);
	const toOwner = sentTo('owner@lender.example').join();
	expect(toOwner).toContain(`Subject: 1 customer of ${gone} needs attention`);
	expect(toOwner).toContain(`Glenham Weavers (engagement ${orphan})`);
	const toTeam = sentTo('team@lender.example').join();
	expect(toTeam).toContain('Subject: 1 customer without a relationship manager needs attention');
});
