import { makeNode } from '../workflows.mts';
import { ExampleRuns } from './exampleRuns.mts';
import { recordsOf } from './setup.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The default of Get Data Status. */
const STUCK_AFTER = 6 * HOUR;

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

test('chase-customers reminds those who never shared data, with the days', async () => {
	const { model } = runs.service;
	const createdAt = Date.now() - 12 * DAY - 1000;
	const { owner } = model.addEngagement({ name: 'Fairford Studios' });
	model.addEngagement({ name: 'Hartwell Logistics', createdAt, owner: { ...owner, email: '' } });
	const email = 'owner@fairford.example';
	model.addEngagement({ name: 'Elmswell Joinery', createdAt, owner: { ...owner, email } });
	await runs.run('chase-customers.json');
	const emails = runs.messages.filter((each) => each.includes('Reminder: please share'));
	const about = (name: string) => emails.filter((each) => each.includes(name));
	expect(about('Elmswell Joinery')).toEqual([expect.stringContaining('12 days ago')]);
	expect(about('Elmswell Joinery')[0]).toContain(`To: ${email}`);
	// One is new, the other has no email address.
	expect([...about('Fairford Studios'), ...about('Hartwell Logistics')]).toEqual([]);
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
	const withDeadline = async (days: number) => {
		const deadline = (value: string) => `"name":"daysToUpload","type":"number","value":"${value}"`;
		return await runs.run('missing-period.json', {
			replace: [deadline('20'), deadline(String(days))],
		});
	};
	const lines = recordsOf(await withDeadline(-1), 'Describe').map(({ line }) => line);
	expect(lines).toHaveLength(missing.length);
	expect(lines.join()).not.toContain(`(${failed})`);
	const date = new Date(completedAt).toISOString();
	expect(lines).toContain(`Glenham Partners (${id}): stale, last upload completed ${date}`);
	expect(runs.messages.at(-1)).toContain(`Glenham Partners (${id})`);
	expect((await withDeadline(99)).runData['Get Data Status']).toBeUndefined();
});

test('keep-access refreshes in time, and asks the customer if it must', async () => {
	const { model } = runs.service;
	const days: Record<string, number> = { fernbooks: 60, quillstone: 30, sandgate: 100 };
	const due = model.engagements.all.filter(({ id, dataRefreshEnabled }) => {
		const last = model.lastUpload(id);
		const limit = days[last?.connectorName ?? ''] ?? 7;
		return dataRefreshEnabled && last && Date.now() - last.createdAt >= (limit - 2) * DAY;
	});
	const [lapsed] = due;
	model.refreshOutcomes.set(lapsed?.id ?? 0, 'actionRequired');
	const refreshed = recordsOf(await runs.run('keep-access.json'), 'Refresh');
	expect(due.length).toBeGreaterThan(1);
	expect(refreshed.map(({ engagementId }) => engagementId)).toEqual(due.map(({ id }) => id));
	const asked = runs.messages.filter((each) => each.includes('must grant access again'));
	expect(asked).toEqual([expect.stringMatching(`^Engagement ${lapsed?.id}: .* at https?://`)]);
});

test('uploads-spreadsheet writes an Excel file with the uploads', async () => {
	const execution = await runs.run('uploads-spreadsheet.json', { disabled: 'Add to the Sheet' });
	const uploads = recordsOf(execution, 'Without Failed Ones');
	const fileSelector = String(recordsOf(execution, 'Save the File')[0]?.fileName);
	const read = makeNode('Read', 'n8n-nodes-base.readWriteFile', {
		operation: 'read',
		fileSelector,
	});
	const extract = makeNode('Rows', 'n8n-nodes-base.spreadsheetFile', {}, { typeVersion: 2 });
	const rows = recordsOf(await runs.sandbox.run(read, extract), 'Rows');
	expect(rows.length).toBeGreaterThan(1);
	expect(rows.map(({ uploadId }) => uploadId)).toEqual(uploads.map(({ uploadId }) => uploadId));
	// A cell of the file may be empty.
	const columns = new Set(rows.flatMap((row) => Object.keys(row)));
	expect([...columns].sort()).toEqual(Object.keys(uploads[0] ?? {}).sort());
});

test('refresh-then-notify reports success and failure', async () => {
	runs.service.model.refreshOutcomes.set(1009, 'fails');
	await runs.run('refresh-then-notify.json');
	expect(runs.messages).toContainEqual(
		expect.stringMatching(/^Engagement 1008: .*upload [0-9a-f-]{36} is complete$/),
	);
	expect(runs.messages).toContainEqual(
		expect.stringMatching(/^Data refresh failed: .*engagement 1009/),
	);
});

test('stale-engagements reports engagements without a recent upload', async () => {
	const { model } = runs.service;
	const { id } = model.addEngagement({ name: 'Corfe Group' });
	const { id: failing } = model.addEngagement({ name: 'Ashby Farms' });
	model.addCompletedUpload({
		engagementId: failing,
		createdAt: Date.parse('2026-01-30T08:00:00Z'),
	});
	const attempt = { engagementId: failing, createdAt: Date.parse('2026-01-31T09:30:00Z') };
	const { uploadId } = model.addCompletedUpload(attempt);
	model.updateUpload(uploadId, { status: 'FAILED', completedAt: null });
	const reported = recordsOf(await runs.run('stale-engagements.json'), 'Describe');
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
});

test('every example that starts on a schedule has been run', () => {
	expect(runs.notRun('onSchedule')).toEqual([]);
});
