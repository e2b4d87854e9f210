import { makeNode } from '../workflows.mts';
import { ExampleRuns, HOSTILE_WORDS } from './exampleRuns.mts';
import { listRecords } from './setup.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The default of Get Data Status. */
const STUCK_AFTER = 6 * HOUR;
const CHASE = 'chase-customers.json';

let runs: ExampleRuns;

beforeAll(async () => {
	runs = await ExampleRuns.open();
});

afterAll(async () => await runs?.close());

/** Whether the last upload of an engagement is in progress, and not stuck. */
function isInProgress(engagementId: number): boolean {
	const { createdAt = 0, status = '' } = runs.service.model.lastUpload(engagementId) ?? {};
	return ['LOADING', 'PROCESSING'].includes(status) && createdAt > Date.now() - STUCK_AFTER;
}

/** When the last upload of an engagement that completed did so; 0 if none did. */
function lastCompletion(engagementId: number): number {
	const uploads = runs.service.model.uploads.of(engagementId);
	return Math.max(0, ...uploads.map(({ completedAt }) => completedAt ?? 0));
}

test('chase-customers reminds kindly, then firmly, then tells a colleague, each once', async () => {
	const { model } = runs.service;
	const add = (name: string, days: number, email = 'owner@fairford.example') => {
		const engagement = model.addEngagement({ name, createdAt: Date.now() - days * DAY - 1000 });
		model.updateEngagement(engagement.id, { owner: { ...engagement.owner, email } });
		return engagement.id;
	};
	add('Fairford Studios', 6);
	const first = add('Elmswell Joinery', 12);
	add('Glenham Weavers', 28);
	add('Corfe Printers', 56);
	add('Hartwell Logistics', 12, '');
	add('Ashby Dental Practice', 30, '');
	add('Dunmore Smithy', 12, 'no address');
	const reminders = async () => {
		runs.messages.length = 0;
		await runs.run(CHASE);
		return runs.messages.filter((each) => /Subject: (Please|We still)/.test(each));
	};
	const emails = await reminders();
	const about = (name: string) => emails.filter((each) => each.includes(name));
	const customer = 'To: owner@fairford.example';
	expect(about('Elmswell Joinery')).toEqual([
		expect.stringMatching(new RegExp(`${customer}.*Please share.*12 days ago`, 's')),
	]);
	expect(about('Glenham Weavers')).toEqual([
		expect.stringMatching(/To: team@.*Please call.*after 28 days/s),
	]);
	expect(about('Ashby Dental Practice')).toEqual([expect.stringContaining('no email address')]);
	expect(runs.messages).toContainEqual(
		expect.stringMatching(/To: team@.*Reminder not sent to Dunmore Smithy/s),
	);
	// One is new, one has had all reminders, and one has no email address.
	for (const name of ['Fairford Studios', 'Corfe Printers', 'Hartwell Logistics'])
		expect(about(name)).toEqual([]);
	expect(await reminders()).toEqual([]);
	model.updateEngagement(first, { createdAt: Date.now() - 15 * DAY });
	expect(await reminders()).toEqual([
		expect.stringMatching(new RegExp(`${customer}.*We still need`, 's')),
	]);
});

test('missing-period lists who has not uploaded since the period ended', async () => {
	const { model } = runs.service;
	const { id } = model.addEngagement({ name: 'Glenham Partners' });
	const now = new Date();
	const quarter = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (now.getUTCMonth() % 3));
	const completedAt = quarter - 1000;
	model.addCompletedUpload({ engagementId: id, createdAt: completedAt - 1000, completedAt });
	const { id: failed } = model.addEngagement({ name: 'Glenham Studios' });
	model.addCompletedUpload({ engagementId: failed });
	const { uploadId } = model.addCompletedUpload({ engagementId: failed });
	model.updateUpload(uploadId, { status: 'FAILED', completedAt: null });
	const missing = model.engagements.all.filter(
		(each) => !isInProgress(each.id) && lastCompletion(each.id) < quarter,
	);
	/** As if the deadline had passed so many days ago. */
	const after = async (days: number) => {
		const daysToUpload = Math.floor((Date.now() - quarter) / DAY) - days;
		return await runs.run('missing-period.json', { replace: { '"20"': `"${daysToUpload}"` } });
	};
	const lines = listRecords(await after(1), 'Describe').map(({ line }) => line);
	expect(lines).toHaveLength(missing.length);
	expect(lines.join()).not.toContain(`(${failed})`);
	const date = new Date(completedAt).toISOString();
	expect(lines).toContain(`Glenham Partners (${id}): stale, last upload completed ${date}`);
	expect(runs.messages.at(-1)).toContain(`Glenham Partners (${id})`);
	expect((await after(-1)).runData['Get Data Status']).toBeUndefined();
	// Named again ten days after the deadline, and only then.
	expect((await after(9)).runData.Describe).toBeUndefined();
	model.updateUpload(model.addCompletedUpload({ engagementId: id }).uploadId, {
		status: 'FAILED',
		completedAt: null,
	});
	expect(listRecords(await after(9), 'Describe')).toEqual([
		{ line: expect.stringContaining(`(${id}): failed`) },
	]);
	expect(listRecords(await after(11), 'Describe')).toHaveLength(missing.length);
});

test('keep-access refreshes in time, and tells once who must act', async () => {
	const { service } = runs;
	const { model } = service;
	const limits: Record<string, number> = { fernbooks: 60, quillstone: 30, sandgate: 100 };
	const due = model.engagements.all.filter(({ id, dataRefreshEnabled }) => {
		const { connectorName = '', createdAt } = model.lastUpload(id) ?? {};
		if (createdAt === undefined || !dataRefreshEnabled) return false;
		const left = (limits[connectorName] ?? 7) - Math.floor((Date.now() - createdAt) / DAY);
		return left <= 2 && left > -7;
	});
	const [lapsed, rejected] = due;
	model.refreshOutcomes.set(lapsed?.id ?? 0, 'actionRequired');
	const path = new RegExp(`/engagements/${rejected?.id}/.*/refresh$`);
	service.fail({ path }, { kind: 'status', status: 422 }, { times: Infinity });
	const told = (text: string) => runs.messages.filter((each) => each.includes(text));
	const asked = () => told('must grant access again');
	const failed = () => told('could not be refreshed');
	const refresh = async () =>
		listRecords(await runs.run('keep-access.json'), 'Refresh').map(
			({ engagementId }) => engagementId,
		);
	expect(due.length).toBeGreaterThan(1);
	expect(await refresh()).toEqual(due.map(({ id }) => (id === rejected?.id ? undefined : id)));
	const name = lapsed?.name ?? '';
	expect(asked()).toEqual([
		expect.stringMatching(`^${name} \\(engagement ${lapsed?.id}\\) .* at http`),
	]);
	expect(failed()).toEqual([expect.stringContaining(`(engagement ${rejected?.id})`)]);
	expect(await refresh()).toContain(lapsed?.id);
	expect(asked()).toHaveLength(1);
	expect(failed()).toHaveLength(1);
	service.clearFaults();
});

test('uploads-spreadsheet writes the uploads as they are, to a sheet and an Excel file', async () => {
	const { model } = runs.service;
	for (const name of HOSTILE_WORDS) {
		const { id } = model.addEngagement({ name, externalEngagementId: name });
		model.addCompletedUpload({ engagementId: id });
	}
	const execution = await runs.run('uploads-spreadsheet.json');
	const uploads = listRecords(execution, 'Without Failed Ones');
	const fileSelector = String(listRecords(execution, 'Save the File')[0]?.fileName);
	const read = makeNode('Read', 'n8n-nodes-base.readWriteFile', {
		operation: 'read',
		fileSelector,
	});
	const extract = makeNode('Rows', 'n8n-nodes-base.spreadsheetFile', {}, { typeVersion: 2 });
	const inFile = listRecords(await runs.sandbox.run(read, extract), 'Rows');
	const [columns = [], ...cells] = runs.receivers.sheet.rows;
	const inSheet = cells.map((row) =>
		Object.fromEntries(columns.map((column, index) => [String(column), row[index]])),
	);
	const contents = (records: Array<Record<string, unknown>>) =>
		records.map((each) => [each.uploadId, each.engagementName, each.externalEngagementId ?? '']);
	for (const name of HOSTILE_WORDS)
		expect(contents(uploads)).toContainEqual([expect.anything(), name, name]);
	expect(contents(inSheet)).toEqual(contents(uploads));
	expect(contents(inFile)).toEqual(contents(uploads));
	expect([...columns].sort()).toEqual(Object.keys(uploads[0] ?? {}).sort());

	await runs.run('uploads-spreadsheet.json');
	const keys = runs.receivers.sheet.rows.map(([key]) => key);
	expect(keys).toHaveLength(new Set(keys).size);
});

test('stale-engagements reports each engagement without recent data once, and again as it ages', async () => {
	const { model } = runs.service;
	const { id } = model.addEngagement({ name: 'Corfe Group' });
	const { id: ageing } = model.addEngagement({ name: 'Glenham Carpenters' });
	const last = model.addCompletedUpload({
		engagementId: ageing,
		completedAt: Date.now() - 31 * DAY,
	});
	const { id: failing } = model.addEngagement({ name: 'Ashby Farms' });
	model.addCompletedUpload({
		engagementId: failing,
		createdAt: Date.parse('2026-01-30T08:00:00Z'),
	});
	const attempt = { engagementId: failing, createdAt: Date.parse('2026-01-31T09:30:00Z') };
	const { uploadId } = model.addCompletedUpload(attempt);
	model.updateUpload(uploadId, { status: 'FAILED', completedAt: null });
	const report = async () => await runs.run('stale-engagements.json');
	const reported = listRecords(await report(), 'Describe');
	const stale = model.engagements.all.filter((engagement) => {
		const { completedAt } = model.lastUpload(engagement.id) ?? {};
		return !isInProgress(engagement.id) && (completedAt ?? 0) < Date.now() - 30 * DAY;
	});
	expect(reported).toHaveLength(stale.length);
	const lines = [
		`Corfe Group (${id}): no upload yet`,
		`Ashby Farms (${failing}): last upload failed, started 2026-01-31T09:30:00.000Z`,
	];
	for (const line of lines) {
		expect(reported).toContainEqual({ line });
		expect(runs.messages.at(-1)).toContain(line);
	}
	// The next attempt fails as well, which is nothing new.
	const next = model.addCompletedUpload({ engagementId: failing });
	model.updateUpload(next.uploadId, { status: 'FAILED', completedAt: null });
	expect((await report()).runData.Describe).toBeUndefined();
	model.updateUpload(last.uploadId, { completedAt: Date.now() - 61 * DAY });
	const again = `Glenham Carpenters (${last.engagementId}): last upload completed 61 days ago`;
	expect(listRecords(await report(), 'Describe')).toEqual([{ line: again }]);
	// Data arrived, and is as old again as when the customer was first named.
	const thirtyOne = Date.now() - 31 * DAY;
	model.addCompletedUpload({ engagementId: ageing, completedAt: thirtyOne });
	expect(listRecords(await report(), 'Describe')).toEqual([{ line: again.replace('61', '31') }]);
});

test('schedule-by-contract schedules as the contract says, and reports who is at fault', async () => {
	const { model } = runs.service;
	const { id: quarterly } = model.addEngagement({ externalEngagementId: 'LOAN-1' });
	await runs.run('schedule-by-contract.json', { replace: { 'CRM-00004': 'LOAN-1' } });
	const now = new Date();
	const fifth = (months: number) =>
		new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 5));
	const startDate = (months: number) => fifth(months).toISOString().slice(0, 10);
	expect(model.schedules.get(1001)).toEqual({ frequency: '2', startDate: startDate(1) });
	const untilQuarter = 3 - (now.getUTCMonth() % 3);
	const everyQuarter = { frequency: '5', startDate: startDate(untilQuarter) };
	expect(model.schedules.get(quarterly)).toEqual(everyQuarter);
	await runs.run('schedule-by-contract.json', { replace: { 'CRM-00001': 'LOAN-9' } });
	expect(runs.messages.at(-1)).toContain('Subject: No refreshes scheduled for LOAN-9');
});

test('every example that starts on a schedule has been run', () => {
	expect(runs.notRun('onSchedule')).toEqual([]);
});
