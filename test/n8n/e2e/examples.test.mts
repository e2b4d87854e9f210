import { readExamples } from '../examples.mts';
import { startReceivers, type Receivers } from '../receivers.mts';
import type { Execution, WorkflowInput } from '../rest.mts';
import { Sandbox } from '../sandbox.mts';
import { waitFor } from '../waitFor.mts';
import { chain, makeNode, MANUAL, manualTrigger } from '../workflows.mts';
import { recordsOf, template } from './setup.mts';

let sandbox: Sandbox;
let receivers: Receivers;
let examples: Map<string, WorkflowInput>;
const messages: string[] = [];
const hasRun = new Set<string>();

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
	receivers = await startReceivers((message) => messages.push(message));
	examples = await readExamples(sandbox, receivers);
});

afterAll(async () => {
	await receivers?.close();
	await sandbox?.close();
});

/** An example, for a test that runs it. */
function exampleOf(file: string): WorkflowInput {
	const example = examples.get(file);
	if (example === undefined) throw new Error(`There is no ${file}`);
	hasRun.add(file);
	return example;
}

/** Runs an example from its trigger, as a click in the editor does. */
async function run(file: string): Promise<Execution> {
	const example = exampleOf(file);
	const trigger = example.nodes.find(({ type }) => /trigger$/i.test(type));
	if (trigger === undefined) throw new Error(`${file} has no trigger`);
	const { id } = await sandbox.rest.createWorkflow(example);
	const execution = await sandbox.rest.run(id, trigger.name);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

test('last-uploads gets the last upload of every engagement', async () => {
	const records = recordsOf(await run('last-uploads.json'), 'Get Last Uploads');
	expect(records).toHaveLength(sandbox.service.model.engagements.all.length);
});

test('onboard-customer emails the customer the link', async () => {
	const [upload] = recordsOf(await run('onboard-customer.json'), 'Start Upload');
	expect(upload?.url).toMatch(/^https?:/);
	const email = messages.find((message) => message.includes('share your accounting data'));
	expect(email).toContain(`\n${String(upload?.url)}\n`);
	expect(email).toContain('To: customer@example.com');
});

test('refresh-and-wait returns the new upload', async () => {
	const [refresh] = recordsOf(await run('refresh-and-wait.json'), 'Refresh and Wait');
	expect(refresh).toMatchObject({ actionRequired: false, upload: { uploadStatus: 'COMPLETED' } });
});

test('refresh-then-notify sends a notification', async () => {
	await run('refresh-then-notify.json');
	expect(messages).toContainEqual(expect.stringContaining('data refreshed'));
});

test('uploads-table keeps one row per upload, even if the same uploads come again', async () => {
	const first = recordsOf(await run('uploads-table.json'), 'Upload Completed');
	const second = recordsOf(await run('uploads-table.json'), 'Upload Completed');
	expect(first.length).toBeGreaterThan(1);
	expect(second).toEqual(first);

	const { rest } = sandbox;
	const parameters = {
		resource: 'row',
		operation: 'get',
		dataTableId: { __rl: true, mode: 'name', value: 'Completed uploads' },
		returnAll: true,
	};
	const rows = { ...makeNode('Rows', 'n8n-nodes-base.dataTable', parameters), typeVersion: 1.1 };
	const { id } = await rest.createWorkflow(chain('Read the table', [manualTrigger(), rows]));
	const saved = recordsOf(await rest.run(id, MANUAL), 'Rows');
	const contents = (records: Array<Record<string, unknown>>) =>
		records.map(({ uploadId, engagementName, uploadStatus }) => [
			uploadId,
			engagementName,
			uploadStatus,
		]);
	expect(contents(saved).sort()).toEqual(contents(first).sort());
});

test('notify-failed-uploads posts a message for each failed upload', async () => {
	const uploads = recordsOf(await run('notify-failed-uploads.json'), 'Upload Failed');
	expect(uploads.length).toBeGreaterThan(1);
	const posted = messages.filter((message) => message.startsWith('Upload failed'));
	expect(posted).toHaveLength(uploads.length);
	for (const { engagementId, uploadStatus } of uploads) {
		const parts = [`(${uploadStatus}): `, `engagement ${engagementId},`];
		expect(posted.some((text) => parts.every((part) => text.includes(part)))).toBe(true);
	}
});

test('stale-engagements reports engagements without a recent upload', async () => {
	const { model } = sandbox.service;
	const { id } = model.addEngagement({ name: 'Corfe Group' });
	const { id: failing } = model.addEngagement({ name: 'Ashby Farms' });
	model.addCompletedUpload({
		engagementId: failing,
		createdAt: Date.parse('2026-01-30T08:00:00Z'),
	});
	const attempt = { engagementId: failing, createdAt: Date.parse('2026-01-31T09:30:00Z') };
	const { uploadId } = model.addCompletedUpload(attempt);
	model.updateUpload(uploadId, { status: 'FAILED', completedAt: null });
	const execution = await run('stale-engagements.json');
	const monthAgo = Date.now() - 30 * 24 * 3_600_000;
	const stale = recordsOf(execution, 'Get Last Uploads').filter(
		({ completionDate: date }) => date === null || Date.parse(String(date)) < monthAgo,
	);
	const reported = recordsOf(execution, 'Describe');
	expect(reported).toHaveLength(stale.length);
	const lines = [
		`Corfe Group (${id}): no upload yet`,
		`Ashby Farms (${failing}): last upload failed, started 2026-01-31T09:30:00.000Z`,
	];
	for (const line of lines) {
		expect(reported).toContainEqual({ line });
		expect(messages.at(-1)).toContain(line);
	}
});

test('upload-webhook gets the details of the upload that the service reports', async () => {
	const { rest, n8n, service } = sandbox;
	const saved = await rest.createWorkflow(exampleOf('upload-webhook.json'));
	await rest.activate(saved);
	const call = async (body: object) => {
		const before = (await rest.executionsOf(saved.id)).length;
		const answer = await fetch(`${n8n.url}/webhook/upload-status`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect(answer.status).toBe(200);
		const check = async () => (await rest.executionsOf(saved.id))[before];
		return await rest.execution(await waitFor(check, { what: 'an execution of the webhook' }));
	};
	const upload = service.model.uploads.all.find(({ completedAt }) => completedAt !== null);
	const { engagementId, uploadId } = upload ?? {};
	const steps = recordsOf(await call({ engagementId, uploadId }), 'Get Steps');
	expect(steps.length).toBeGreaterThan(1);
	expect(steps).toContainEqual(expect.objectContaining({ engagementId, uploadId }));
	const nothing = await call({});
	expect(nothing.runData['Get Steps']).toBeUndefined();
});

test('every example has been run', () => {
	expect([...hasRun].sort()).toEqual([...examples.keys()]);
});
