import { MISSING_ACCOUNT } from '../standIns/receivers.mts';
import { waitUntil } from '../process/waitFor.mts';
import { ExampleRuns, HOSTILE_NAME, HOSTILE_WORDS, withLineBreaks } from './exampleRuns.mts';
import { SLACK_CHANNEL, TEAMS_CHANNEL } from '../workflows/examples.mts';
import { every, waitForPolls } from './polling.mts';
import { listRecords, useOpened } from './setup.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** In hours: a few seconds. */
const STUCK_AFTER = 0.003;

let runs: ExampleRuns;

useOpened(async () => (runs = await ExampleRuns.open()));

test('every example that sends something stops until it knows where to', async () => {
	for (const [file, { nodes }] of runs.examples) {
		const names = nodes.map(({ name }) => name);
		if (names.includes('Replace the Addresses')) await runs.runUnreplaced(file);
	}
	await runs.runUnreplaced('refresh-then-notify.json', { [SLACK_CHANNEL]: '' });
	await runs.runUnreplaced('keep-access.json', { [TEAMS_CHANNEL]: '' });
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
	const rows = (cells: unknown[][]) => {
		const [columns = [], ...rest] = cells;
		return rest.map((row) =>
			Object.fromEntries(columns.map((column, index) => [String(column), row[index]])),
		);
	};
	const run = async (start: string) => await runs.run(file, { start });
	await run('Upload Completed');
	const uploads = listRecords(await run('Every Night at 4'), 'Get Recent Uploads');
	await run('Every Night at 4');
	const contents = (records: Array<Record<string, unknown>>) =>
		records.map((each) => [each.uploadId, each.engagementName, each.externalEngagementId ?? '']);
	const { rows: cells } = sheet();
	const saved = rows(cells);
	expect(contents(saved)).toEqual(expect.arrayContaining(contents(uploads)));
	const ids = saved.map(({ uploadId }) => uploadId);
	expect(ids).toHaveLength(new Set(ids).size);
	expect(ids).toEqual(expect.arrayContaining(hostile));
	expect(ids).not.toContain(failed);
	expect(cells[0]?.toSorted()).toEqual(Object.keys(uploads[0] ?? {}).sort());
});

test('first-data announces the first data of a customer, once, and no later data', async () => {
	const { model } = runs.service;
	const add = (name: string, engagementId?: number) => {
		const completedAt = Date.now() - 2000;
		if (engagementId === undefined) return runs.addCustomer({ name }, { completedAt });
		return model.addCompletedUpload({ engagementId, completedAt: completedAt + 1000 });
	};
	const known = runs.addCustomer({ name: 'Elmswell Bakery' }, { completedAt: Date.now() - DAY });
	add('', known.engagementId);
	// Of two uploads that come together, only one is the first.
	const { engagementId: hasty } = add('Glenham Farms');
	add('', hasty);
	const { engagementId: first } = add(withLineBreaks(HOSTILE_NAME));
	add('', first);
	const before = runs.messages.length;
	// The test event shows five uploads, which are those added here.
	const execution = await runs.run('first-data.json');
	const completed = listRecords(execution, 'Upload Completed').map((each) => each.engagementId);
	expect(completed.sort()).toEqual([known.engagementId, hasty, hasty, first, first].sort());
	const sent = runs.messages.slice(before).map((each) => each.trim().split('\n').at(-1));
	expect(sent.sort()).toEqual([
		expect.stringContaining(
			`${HOSTILE_NAME} (engagement ${first}) has shared data for the first time`,
		),
		expect.stringContaining(
			`Glenham Farms (engagement ${hasty}) has shared data for the first time`,
		),
	]);
});

test('notify-failed-uploads tells the person responsible of each failed upload', async () => {
	const { model } = runs.service;
	const name = withLineBreaks(HOSTILE_NAME);
	const add = (email: string) => {
		const { id: engagementId, owner } = model.addEngagement({ name });
		model.updateEngagement(engagementId, { owner: { ...owner, email } });
		model.addUpload({ engagementId, status: 'FAILED' });
	};
	add('owner@fairford.example');
	add('');
	const uploads = listRecords(await runs.run('notify-failed-uploads.json'), 'Upload Failed');
	const posted = runs.messages.filter((message) => message.includes('\nUpload failed ('));
	expect(posted).toHaveLength(uploads.length);
	for (const { engagementName, uploadStatus, currentStep, ...upload } of uploads) {
		const id = upload.externalEngagementId ?? `engagement ${String(upload.engagementId)}`;
		const who = `\nUpload failed (${uploadStatus}): ${String(engagementName).replaceAll('\n', ' ')} (${id}), at the step ${currentStep}, from `;
		const { owner, relationshipManager } = model.engagements.existing(Number(upload.engagementId));
		const email = posted.find((each) => each.includes(who));
		expect(email).toContain(`To: ${owner.email || 'team@lender.example'}\n`);
		expect(email).toContain(`Relationship manager: ${relationshipManager}`);
	}
	expect(posted[0]).toMatch(/, started \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d\n/);
	for (const email of ['owner@fairford.example', 'team@lender.example'])
		expect(posted.filter((each) => each.includes(`To: ${email}\n`))).toHaveLength(1);
});

test('crm-write-back updates the records of those whose data has arrived, and reports a missing one', async () => {
	const add = (externalEngagementId: string) =>
		runs.addCustomer({ name: HOSTILE_NAME, externalEngagementId });
	add(MISSING_ACCOUNT);
	// One that would lead elsewhere if it became part of the address as it is.
	const hostile = '../contact/7?x=<b>';
	add(hostile);
	const { connectorName } = add('00123');
	const known = listRecords(await runs.run('crm-write-back.json'), 'Has an External ID');
	const ids = known.map((each) => each.externalEngagementId);
	expect(ids).toEqual(expect.arrayContaining([MISSING_ACCOUNT, hostile, '00123']));
	const written = runs.messages.filter((message) => message.startsWith('Account '));
	for (const id of ids)
		expect(written.some((text) => text.startsWith(`Account ${String(id)}: `))).toBe(
			id !== MISSING_ACCOUNT,
		);
	const arrived = known.find((each) => each.externalEngagementId === '00123');
	const values = { Data_Received_On__c: arrived?.completionDate, Data_Source__c: connectorName };
	expect(written).toContain(`Account 00123: ${JSON.stringify(values)}`);
	const emails = runs.messages.filter((each) => each.includes('Not updated in the CRM'));
	expect(emails).toEqual([expect.stringContaining(`in the CRM: ${MISSING_ACCOUNT}`)]);
	expect(emails[0]).toContain(`The data of ${HOSTILE_NAME} arrived`);
});

test('stuck-uploads escalates an upload once, and reports an outage once', async () => {
	const { service, messages } = runs;
	const { model } = service;
	const trigger = () => ({ ...every(3), stuckAfter: STUCK_AFTER });
	await runs.publish('stuck-uploads.json', { trigger });
	const customer = { name: withLineBreaks(HOSTILE_NAME), externalEngagementId: 'CRM-00901' };
	const { id: engagementId } = model.addEngagement(customer);
	model.addUpload({ engagementId, status: 'PROCESSING', finishedSteps: 2 });
	const { id: idle, owner } = model.addEngagement({ name: 'Harbury Mills' });
	model.requestUpload(idle, 'fernbooks');
	const told = (text: string) => messages.filter((message) => message.includes(`\n${text}`));
	await waitUntil(() => told('Upload stuck').length > 1, { what: 'two escalations' });

	service.fail({ path: /\/uploads$/ }, { kind: 'status', status: 403 }, { times: Infinity });
	await waitUntil(() => told('Uploads cannot be checked').length > 0, { what: 'a report' });
	await waitForPolls(service, 3);
	service.clearFaults();
	await waitForPolls(service, 3);
	const [escalation, ...others] = told('Upload stuck (PROCESSING)');
	expect(escalation).toContain(`: ${HOSTILE_NAME} (CRM-00901), at the step Validate, from `);
	expect(escalation).toMatch(/, started \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d\n/);
	expect(escalation).not.toContain('opened the link');
	expect(others).toEqual([]);
	expect(told('Upload stuck (LOADING): Harbury Mills')).toEqual([
		expect.stringMatching(
			new RegExp(
				`To: ${owner.email}\n.*No step is known to have begun: the customer may not have opened`,
				's',
			),
		),
	]);
	expect(told('Uploads cannot be checked')).toEqual([
		expect.stringContaining('To: team@lender.example\n'),
	]);
});

test('audit-request-list ticks what has arrived of each customer, and counts what is missing', async () => {
	const { model, settings } = runs.service;
	const audit = async () => {
		runs.messages.length = 0;
		await runs.run('audit-request-list.json');
		return [...runs.messages];
	};
	// The first run creates the table, with a sample.
	expect(await audit()).toEqual([expect.stringContaining('(CRM-00001): ')]);
	const completedAt = Date.parse('2026-03-10T09:00:00Z');
	const customer = { name: 'Corfe Joinery', externalEngagementId: 'CRM-00777' };
	const { engagementId: id } = runs.addCustomer(customer, { completedAt });
	const failed = { status: 'FAILED', createdAt: Date.now() - HOUR, completedAt: Date.now() };
	model.addUpload({ engagementId: id, ...failed, connectorName: 'larkfield' });
	model.addUpload({ engagementId: id, status: 'PROCESSING' });
	model.addEngagement({ name: HOSTILE_NAME, externalEngagementId: 'CRM-00778' });
	// A year that is listed does not tick its months.
	settings.yearsAmongPeriods = true;
	await runs.addRows('Customers to audit', [
		{ externalId: 'CRM-00777', firstMonth: '2025-12' },
		{ externalId: 'CRM-00778', firstMonth: null },
		{ externalId: 'CRM-99999', firstMonth: null },
	]);
	const [, arrived, nothing, unknown, ...others] = await audit();
	settings.yearsAmongPeriods = false;
	expect(others).toEqual([]);
	expect(arrived).toContain('Subject: Audit of Corfe Joinery (CRM-00777): 10 missing');
	const number = String(id).padStart(8, '0');
	for (const line of [
		`[x] Company details: Corfe Joinery, ${number}, GB${number}, GBP`,
		'[x] Last completed upload: 10 Mar 2026\n[ ] December 2025\n[x] January 2026\n[x] February 2026\n[ ] March 2026',
	])
		expect(arrived).toContain(line);
	expect(nothing).toContain(`Received from ${HOSTILE_NAME} (CRM-00778):`);
	expect(nothing?.match(/^\[ \]/gm)).toHaveLength(14);
	expect(nothing).toContain('[ ] Last completed upload: none known (data status: never)');
	expect(unknown).toContain('Subject: Audit of CRM-99999: no such customer');
});
