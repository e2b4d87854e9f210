import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { ExampleRuns, HOSTILE_NAME, withLineBreaks } from './exampleRuns.mts';
import { listRecords, useOpened } from './setup.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The node of the reports that passes on what is new. */
const NEW = 'Not Reported Before';
const STATUSES = ['fresh', 'stale', 'failed', 'stuck', 'running', 'never', 'disabled', 'unknown'];

let runs: ExampleRuns;

useOpened(async () => (runs = await ExampleRuns.open()));

/** The lines of a report about customers of this name. */
async function report(file: string, name: string, replace = {}): Promise<string[]> {
	const execution = await runs.run(file, { replace });
	if (execution.runData[NEW] === undefined) return [];
	const lines = listRecords(execution, NEW).map(({ line }) => String(line));
	const own = lines.filter((line) => line.startsWith(name));
	for (const line of own) expect(runs.messages.at(-1)).toContain(line);
	return own;
}

test('missing-period lists who has not uploaded since the period ended', async () => {
	const { model } = runs.service;
	const name = `${HOSTILE_NAME} Ltd`;
	const now = new Date();
	const quarter = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (now.getUTCMonth() % 3));
	const completedAt = quarter - 1000;
	const { engagementId: id } = runs.addCustomer({ name: withLineBreaks(name) }, { completedAt });
	runs.addCustomer({ name }, { createdAt: Date.now() - HOUR });
	/** As if the deadline had passed so many days ago. */
	const after = async (days: number) => {
		const daysToUpload = Math.floor((Date.now() - quarter) / DAY) - days;
		return await report('missing-period.json', name, { '"20"': `"${daysToUpload}"` });
	};
	const date = DateTime.fromMillis(completedAt, { zone: 'UTC' }).toFormat('d LLL yyyy');
	const customer = `${name} (engagement ${id})`;
	const disabled = model.addEngagement({ name, active: false });
	model.addCompletedUpload({ engagementId: disabled.id, completedAt });
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
	const add = (name: string, relationshipManager: string, owner = nobody) =>
		model.addEngagement({ name, relationshipManager, owner }).id;
	const [one, gone] = [manager('one@lender.example'), manager('gone@lender.example', 'DISABLED')];
	const owner = { ...nobody, email: 'owner@lender.example' };
	const ids = [
		add('Fairford Studios', one),
		add(withLineBreaks(HOSTILE_NAME), one, owner),
		add('Glenham Weavers', gone, owner),
	];
	// A customer of the manager's name.
	const [firstName = '', lastName = ''] = gone.split(' ');
	const sme = { ...nobody, firstName, lastName, email: 'gone@customer.example' };
	model.addSme(sme, { status: 1, statusCode: 'ACTIVE' });
	add('Harbury Mills', '');
	runs.addCustomer({ relationshipManager: one });
	runs.messages.length = 0;
	await runs.run('weekly-digest.json');
	const sentTo = (email: string) => runs.messages.filter((each) => each.includes(`To: ${email}`));
	const [digest = '', ...others] = sentTo('one@lender.example');
	expect(others).toEqual([]);
	expect(digest).toContain(`Subject: 2 customers of ${one} need attention`);
	expect(digest.trim().split('\n').slice(-2)).toEqual([
		`${HOSTILE_NAME} (engagement ${ids[1]}): no upload yet`,
		`Fairford Studios (engagement ${ids[0]}): no upload yet`,
	]);
	for (const email of ['gone@lender.example', 'gone@customer.example'])
		expect(sentTo(email)).toEqual([]);
	const toOwner = sentTo('owner@lender.example').join();
	expect(toOwner).toContain(`Subject: 1 customer of ${gone} needs attention`);
	expect(toOwner).toContain(`Glenham Weavers (engagement ${ids[2]})`);
	const toTeam = sentTo('team@lender.example').join();
	expect(toTeam).toContain('Subject: 1 customer without a relationship manager needs attention');
	const listed =
		sentTo('')
			.join()
			.match(/^\S.* \(.+\): /gm) ?? [];
	expect(listed).toHaveLength(new Set(listed).size);
});

test('status-page keeps one row of counts per day', async () => {
	const { model } = runs.service;
	const night = async () => {
		await runs.run('status-page.json', { start: 'Every Night at 2' });
		return await runs.rows('Portfolio by day');
	};
	const [first = {}, ...others] = await night();
	expect(others).toEqual([]);
	const counts = (row: IDataObject) =>
		STATUSES.reduce((sum, status) => sum + Number(row[status]), 0);
	expect(counts(first)).toBe(model.engagements.all.length);
	expect(first).toMatchObject({ customers: model.engagements.all.length });
	const { id: engagementId } = model.addEngagement({ active: false });
	model.addCompletedUpload({ engagementId });
	model.addEngagement({});
	const rows = await night();
	// Unless the day has just ended.
	expect(rows.length).toBeLessThanOrEqual(2);
	expect(rows.at(-1)).toMatchObject({
		day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		customers: Number(first.customers) + 2,
		disabled: Number(first.disabled) + 1,
		never: Number(first.never) + 1,
		fresh: first.fresh,
	});
});
