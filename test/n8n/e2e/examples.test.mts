import type { INodeParameters } from 'n8n-workflow';
import { waitUntil } from '../process/waitFor.mts';
import { ExampleRuns, HOSTILE_NAME, HOSTILE_WORDS, withLineBreaks } from './exampleRuns.mts';
import { SLACK_CHANNEL } from '../workflows/examples.mts';
import { every, waitForPolls } from './polling.mts';
import { listRecords, useOpened } from './setup.mts';

const HOUR = 3_600_000;
/** In hours: a few seconds. */
const STUCK_AFTER = 0.003;

let runs: ExampleRuns;

useOpened(async () => (runs = await ExampleRuns.open()));

test('what writes to customers or posts stops until it knows where to', async () => {
	for (const [file, { nodes }] of runs.examples) {
		const names = nodes.map(({ name }) => name);
		if (names.includes('Replace the Addresses')) await runs.runUnreplaced(file);
	}
	await runs.runUnreplaced('refresh-then-notify.json', { [SLACK_CHANNEL]: '' });
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

test('alert-uploads tells the person responsible of each failed upload', async () => {
	const { model } = runs.service;
	const name = withLineBreaks(HOSTILE_NAME);
	const add = (email: string) => {
		const { id: engagementId, owner } = model.addEngagement({ name });
		model.updateEngagement(engagementId, { owner: { ...owner, email } });
		model.addUpload({ engagementId, status: 'FAILED' });
	};
	add('owner@fairford.example');
	add('');
	const uploads = listRecords(await runs.run('alert-uploads.json'), 'Upload Failed');
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

test('alert-uploads escalates an upload once, and reports an outage once', async () => {
	const { service, messages } = runs;
	const { model } = service;
	const trigger = ({ event }: INodeParameters) => ({
		...every(3),
		...(event === 'uploadStuck' && { stuckAfter: STUCK_AFTER }),
	});
	await runs.publish('alert-uploads.json', { trigger });
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
	expect(others).toEqual([]);
	expect(told('Upload stuck (LOADING): Harbury Mills')).toEqual([
		expect.stringContaining(`To: ${owner.email}\n`),
	]);
	expect(told('Uploads cannot be checked')).toEqual([
		expect.stringContaining('To: team@lender.example\n'),
	]);
});
