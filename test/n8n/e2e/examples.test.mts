import { MISSING_ACCOUNT } from '../receivers.mts';
import { waitUntil } from '../waitFor.mts';
import { ExampleRuns } from './exampleRuns.mts';
import { HOSTILE_CUSTOMERS, HOSTILE_NAME } from './hostileCustomers.mts';
import { every, waitForPolls } from './polling.mts';
import { listRecords } from './setup.mts';

/** In hours: a few seconds. */
const STUCK_AFTER = 0.003;

let runs: ExampleRuns;

beforeAll(async () => {
	runs = await ExampleRuns.open();
});

afterAll(async () => await runs?.close());

test('onboard-customer emails the customer the link, and only once', async () => {
	const [upload] = listRecords(await runs.run('onboard-customer.json'), 'Start Upload');
	expect(upload?.url).toMatch(/^https?:/);
	const emails = () => runs.messages.filter((each) => each.includes('share your accounting data'));
	expect(emails()).toEqual([expect.stringContaining(`\n${String(upload?.url)}\n`)]);
	expect(emails()[0]).toContain('To: customer@example.com');
	const again = await runs.run('onboard-customer.json');
	expect(again.runData['Start Upload']).toBeUndefined();
	expect(emails()).toHaveLength(1);
});

test('notify-failed-uploads posts a message for each failed upload', async () => {
	const uploads = listRecords(await runs.run('notify-failed-uploads.json'), 'Upload Failed');
	expect(uploads.length).toBeGreaterThan(1);
	const posted = runs.messages.filter((message) => message.startsWith('Upload failed'));
	expect(posted).toHaveLength(uploads.length);
	for (const { engagementId, uploadStatus } of uploads) {
		const parts = [`(${uploadStatus}): `, `engagement ${engagementId},`];
		expect(posted.some((text) => parts.every((part) => text.includes(part)))).toBe(true);
	}
});

test('crm-write-back updates the records of those whose data has arrived, and reports a missing one', async () => {
	const { model } = runs.service;
	const add = (externalEngagementId: string) => {
		const { id } = model.addEngagement({ externalEngagementId });
		return model.addCompletedUpload({ engagementId: id });
	};
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
});

test('stuck-uploads escalates an upload once, and reports an outage once', async () => {
	const { rest, service, messages } = runs;
	const { model } = service;
	const example = runs.findExample('stuck-uploads.json');
	const nodes = example.nodes.map((node) => {
		if (node.name !== 'Upload Stuck') return node;
		const parameters = { ...node.parameters, ...every(3), stuckAfter: STUCK_AFTER };
		return { ...node, parameters };
	});
	await rest.activate(await rest.createWorkflow({ ...example, nodes }));
	const { uploadId } = model.addCompletedUpload({ createdAt: Date.now() });
	model.updateUpload(uploadId, { status: 'PROCESSING', completedAt: null });
	const told = (text: string) => messages.filter((message) => message.startsWith(text));
	await waitUntil(() => told('Upload stuck (PROCESSING)').length > 0, { what: 'an escalation' });

	service.fail({ path: /\/uploads$/ }, { kind: 'status', status: 403 }, { times: Infinity });
	await waitUntil(() => told('Uploads cannot be checked').length > 0, { what: 'a report' });
	await waitForPolls(service, 3);
	service.clearFaults();
	await waitForPolls(service, 3);
	expect(told('Upload stuck')).toHaveLength(1);
	expect(told('Uploads cannot be checked')).toHaveLength(1);
});

test('audit-request-list ticks what has arrived, and counts what is missing', async () => {
	const { model } = runs.service;
	const { id } = model.addEngagement({ name: 'Corfe Joinery', externalEngagementId: 'CRM-00777' });
	model.addEngagement({ name: 'Corfe Bakery', externalEngagementId: 'CRM-00778' });
	const completedAt = Date.parse('2026-03-10T09:00:00Z');
	model.addCompletedUpload({ engagementId: id, createdAt: completedAt - 1000, completedAt });
	const list = async (externalId: string) => {
		const year = "={{ $now.minus({ years: 1 }).startOf('year').toFormat('yyyy-MM') }}";
		await runs.run('audit-request-list.json', {
			replace: { 'CRM-00001': externalId, [year]: '2025-12' },
		});
		return runs.messages.at(-1);
	};
	const arrived = await list('CRM-00777');
	expect(arrived).toContain('Subject: Audit of Corfe Joinery (CRM-00777): 10 missing');
	const number = String(id).padStart(8, '0');
	for (const line of [
		`[x] Company details: Corfe Joinery, ${number}, GB${number}, GBP`,
		'[x] Last upload: completed 2026-03-10, from fernbooks',
		'[ ] December 2025\n[x] January 2026\n[x] February 2026\n[ ] March 2026',
	])
		expect(arrived).toContain(line);
	const nothing = await list('CRM-00778');
	expect(nothing).toContain('(CRM-00778): 13 missing');
	expect(nothing).toContain('[ ] Last upload: none yet');
});

test('other-endpoints counts the uploads of last month with this credential', async () => {
	const { service } = runs;
	const now = new Date();
	const [from, to] = [-1, 0].map((months) =>
		Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months),
	);
	const month = service.model.uploads.all.filter(
		({ completedAt }) => (completedAt ?? 0) >= (from ?? 0) && (completedAt ?? Infinity) < (to ?? 0),
	);
	const [result] = listRecords(await runs.run('other-endpoints.json'), 'Use the Number');
	expect(month.length).toBeGreaterThan(1);
	expect(result).toMatchObject({ uploads: month.length });
});

describe('a name that is a command is posted and emailed as words', () => {
	test.each(HOSTILE_CUSTOMERS)('by $file', async ({ file, customer, upload, replace }) => {
		const { model } = runs.service;
		const given = { name: HOSTILE_NAME, externalEngagementId: file, ...customer };
		const { id: engagementId } = model.addEngagement(given);
		if (upload !== undefined) {
			const { uploadId } = model.addCompletedUpload({ engagementId, ...upload });
			model.updateUpload(uploadId, upload);
		}
		model.refreshOutcomes.set(engagementId, 'actionRequired');
		runs.messages.length = 0;
		await runs.run(`${file}.json`, { replace });
		expect(runs.messages.filter((message) => message.includes(HOSTILE_NAME))).not.toEqual([]);
	});
});

test('every example that starts otherwise has been run', () => {
	expect(runs.notRun('otherwise')).toEqual([]);
});
