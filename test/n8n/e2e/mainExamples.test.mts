/** The examples that a commit's checks run; `npm run test:examples` runs all of them. */
import type { Engagement } from '../../support/service/records.mts';
import { waitUntil } from '../process/waitFor.mts';
import { ExampleRuns, HOSTILE_NAME, HOSTILE_WORDS, withLineBreaks } from './exampleRuns.mts';
import { every, waitForPolls } from './polling.mts';
import { listRecords, useOpened } from './setup.mts';

const DAY = 24 * 3_600_000;

let runs: ExampleRuns;

useOpened(async () => (runs = await ExampleRuns.open()));

beforeEach(() => runs.forget());

test('uploads-table keeps one row per upload, and adds and updates at night what was missed', async () => {
	const { model } = runs.service;
	const run = async (start: string, node = start) => {
		const execution = await runs.run('uploads-table.json', { start });
		return listRecords(execution, node).map(({ uploadId }) => String(uploadId));
	};
	const night = async () => await run('Every Night at 3', 'Get Recent Uploads');
	const { uploadId: failed } = model.addCompletedUpload({});
	model.updateUpload(failed, { status: 'UPLOAD_FAILED' });
	const emitted = await run('Upload Completed');
	// Their executions were lost.
	const lost = HOSTILE_WORDS.map(
		(name) => runs.addCustomer({ name, externalEngagementId: name }).uploadId,
	);
	const recent = await night();
	const [changed = ''] = lost;
	model.updateUpload(changed, { status: 'ARCHIVED' });
	await night();
	await run('Upload Completed');
	const rows = await runs.rows('Completed uploads');
	const ids = rows.map(({ uploadId }) => uploadId);
	expect(ids).toEqual(expect.arrayContaining([...emitted, ...lost, ...recent]));
	expect(ids).not.toContain(failed);
	expect(new Set(ids).size).toBe(ids.length);
	for (const [index, word] of HOSTILE_WORDS.entries())
		expect(rows).toContainEqual(
			expect.objectContaining({
				engagementName: word,
				externalEngagementId: word,
				uploadStatus: index === 0 ? 'ARCHIVED' : 'COMPLETED',
			}),
		);
});

test('refresh-then-notify posts one message: who was refreshed, and who was not and why', async () => {
	const { model } = runs.service;
	const addOld = (engagement: Partial<Engagement>, connectorName = 'fernbooks') => {
		const completedAt = Date.now() - 40 * DAY;
		return runs.addCustomer(engagement, { connectorName, completedAt }).engagementId;
	};
	const lapsed = addOld({ name: HOSTILE_NAME, externalEngagementId: 'CRM-00701' });
	const failing = addOld({ name: 'Dunmore Smithy', externalEngagementId: 'CRM-00702' });
	const rejected = addOld({ name: 'Elmswell Joinery' }, 'pebbleworks');
	addOld({ name: 'Glenham Weavers', externalEngagementId: 'CRM-00704', dataRefreshEnabled: false });
	model.refreshOutcomes.clear();
	model.refreshOutcomes.set(lapsed, 'actionRequired').set(failing, 'fails');
	const old = listRecords(await runs.run('refresh-then-notify.json'), 'Get Old Data');
	const [message = '', ...others] = runs.messages;
	expect(others).toEqual([]);
	const cannot = old.filter(({ dataRefreshEnabled }) => dataRefreshEnabled !== true).length;
	const refreshed = old.length - cannot - 3;
	expect(refreshed).toBeGreaterThan(1);
	const [first, , title, signIn, , failed, ...rest] = message.split('\n');
	expect(first).toBe(
		`Data refresh: ${refreshed} refreshed, 1 not refreshed, 2 failed, ${cannot} cannot be refreshed`,
	);
	expect([title, failed]).toEqual(['Not refreshed, since the customer must act:', 'Failed:']);
	expect(signIn).toContain(`• ${HOSTILE_NAME} (CRM-00701): Authentication Required, at http`);
	expect(rest.slice(0, 2).sort()).toEqual([
		expect.stringMatching(/^• Dunmore Smithy \(CRM-00702\): .*FAILED/),
		expect.stringMatching(`^• Elmswell Joinery \\(engagement ${rejected}\\): .*pebbleworks`),
	]);
	expect(rest.slice(2, 4)).toEqual(['', 'Cannot be refreshed, so ask the customer:']);
	expect(rest).toContain('• Glenham Weavers (CRM-00704)');
});

test('onboard-customers writes the link back, sends it once, and says in the row what went wrong', async () => {
	const { model } = runs.service;
	const table = 'Customers to onboard';
	const onboard = async () => await runs.run('onboard-customers.json');
	const emailsAbout = (name: string) => runs.messages.filter((each) => each.includes(name));
	// Creates the table.
	await onboard();
	model.addEngagement({ name: 'Corfe Bakery', externalEngagementId: 'CRM-00801' });
	const customer = (customerNumber: string, name: string, more = {}) => {
		const email = `${customerNumber}@customer.example`.toLowerCase();
		return { customerNumber, name, email, accountingPackage: 'fernbooks', ...more };
	};
	await runs.addRows(table, [
		customer('CRM-00801', 'Corfe Bakery'),
		customer('CRM-00802', 'Dunmore Smithy', { accountingPackage: 'Inkwell' }),
		customer('CRM-00803', 'Elmswell Joinery', { email: 'no address' }),
		customer('CRM-00804', 'Glenham Weavers', { accountingPackage: 'larkfield' }),
		customer('CRM-00805', HOSTILE_NAME),
	]);
	const body = { type: 'REDIRECT', redirectUrl: null };
	runs.service.fail({ path: /\/larkfield\/upload$/ }, { kind: 'status', status: 200, body });
	await Promise.all([onboard(), onboard()]);
	const [known = {}, unknown, unsent = {}, unlinked, hostile] = await runs.rows(table);

	expect(known).toMatchObject({ wasCreated: false, sentOn: expect.any(String), problem: null });
	expect(emailsAbout('of Corfe Bakery')).toEqual([
		expect.stringMatching(/To: crm-00801@customer\.example/),
	]);
	expect(emailsAbout('of Corfe Bakery')[0]).toContain(`\n${String(known.link)}\n`);
	expect(unknown).toMatchObject({ link: null, problem: expect.stringContaining('Inkwell') });
	expect(unlinked).toMatchObject({ link: null, sentOn: null, problem: expect.any(String) });
	expect(emailsAbout('Glenham Weavers')).toEqual([]);
	expect(unsent).toMatchObject({ sentOn: null, problem: expect.any(String) });
	expect(unsent.link).toMatch(/^http/);
	expect(hostile).toMatchObject({ name: HOSTILE_NAME, wasCreated: true, problem: null });
	expect(emailsAbout(`of ${HOSTILE_NAME} with us`)).toHaveLength(1);
	// No contact, which the service would drop.
	expect(runs.writes().map((each) => each.body)).toContainEqual({
		sme: { name: HOSTILE_NAME },
		externalEngagementId: 'CRM-00805',
	});

	// A row that was corrected is tried again: the saved link is sent, and no other upload is started.
	await runs.updateRow(table, 'CRM-00803', { email: 'joinery@customer.example', problem: '' });
	runs.forget();
	await onboard();
	expect(runs.writes()).toEqual([]);
	expect(runs.messages).toEqual([expect.stringContaining(`\n${String(unsent.link)}\n`)]);
});

test('alert-uploads tells the person responsible of each failed upload', async () => {
	const { model } = runs.service;
	const name = withLineBreaks(HOSTILE_NAME);
	for (const email of ['owner@fairford.example', '']) {
		const { id: engagementId, owner } = model.addEngagement({ name });
		model.updateEngagement(engagementId, { owner: { ...owner, email } });
		model.addUpload({ engagementId, status: 'FAILED' });
	}
	const uploads = listRecords(await runs.run('alert-uploads.json'), 'Upload Failed');
	const posted = runs.messages.filter((message) => message.includes('\nUpload failed ('));
	expect(posted).toHaveLength(uploads.length);
	const told = posted.filter((email) =>
		email.includes(`\nUpload failed (FAILED): ${HOSTILE_NAME} (`),
	);
	expect(told).toHaveLength(2);
	for (const to of ['owner@fairford.example', 'team@lender.example'])
		expect(told.filter((email) => email.includes(`To: ${to}\n`))).toHaveLength(1);
	expect(told[0]).toMatch(/, at the step .*, started \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d\n/);
	expect(told[0]).toContain('\nRelationship manager: ');
});

test('alert-uploads escalates an upload once, and reports an outage once', async () => {
	const { service, messages } = runs;
	const { model } = service;
	const polls = (parameters: object) => JSON.stringify(parameters).slice(1, -1);
	const fiveMinutes = { item: [{ mode: 'everyX', value: 5, unit: 'minutes' }] };
	await runs.publish('alert-uploads.json', {
		[polls({ pollTimes: fiveMinutes })]: polls(every(3)),
		// A few seconds.
		'"stuckAfter":6': '"stuckAfter":0.003',
	});
	const customer = { name: withLineBreaks(HOSTILE_NAME), externalEngagementId: 'CRM-00901' };
	const { id: engagementId, owner } = model.addEngagement(customer);
	model.addUpload({ engagementId, status: 'PROCESSING', finishedSteps: 2 });
	const told = (text: string) => messages.filter((message) => message.includes(`\n${text}`));
	await waitUntil(() => told('Upload stuck (PROCESSING)').length > 0, 'an escalation');

	service.fail({ path: /\/uploads$/ }, { kind: 'status', status: 403 }, { times: Infinity });
	await waitUntil(() => told('Uploads cannot be checked').length > 0, 'a report');
	await waitForPolls(service, 3);
	service.clearFaults();
	await waitForPolls(service, 3);
	const [escalation, ...others] = told('Upload stuck (PROCESSING)');
	expect(escalation).toContain(`To: ${owner.email}\n`);
	expect(escalation).toContain(`: ${HOSTILE_NAME} (CRM-00901), at the step Validate, from `);
	expect(others).toEqual([]);
	expect(told('Uploads cannot be checked')).toEqual([
		expect.stringContaining('To: team@lender.example\n'),
	]);
});
