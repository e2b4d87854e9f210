import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readExamples } from '../examples.mts';
import { startOutside, type Outside } from '../outside.mts';
import type { Execution, WorkflowInput } from '../rest.mts';
import { Stage } from '../stage.mts';
import { until } from '../until.mts';
import { recordsOf, template } from './setup.mts';

let stage: Stage;
let outside: Outside;
let examples: Map<string, WorkflowInput>;
const messages: string[] = [];

beforeAll(async () => {
	stage = await Stage.open(template());
	outside = await startOutside((message) => messages.push(message));
	examples = await readExamples(stage, outside);
});

afterAll(async () => {
	await outside?.close();
	await stage?.closeAndSearch();
});

/** Runs an example by a click on its trigger. */
async function run(file: string): Promise<Execution> {
	const example = examples.get(file);
	const trigger = example?.nodes.find(({ type }) => /trigger$/i.test(type));
	if (example === undefined || trigger === undefined) throw new Error(`${file} cannot be run`);
	const { id } = await stage.rest.createWorkflow(example);
	const execution = await stage.rest.run(id, trigger.name);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

test('the last uploads of all engagements', async () => {
	const records = recordsOf(await run('last-uploads.json'), 'Get Last Uploads');
	expect(records).toHaveLength(stage.service.model.engagements.all.length);
});

test('a customer is onboarded', async () => {
	const [upload] = recordsOf(await run('onboard-customer.json'), 'Start Upload');
	expect(upload?.url).toMatch(/^https?:/);
	const letter = messages.find((message) => message.includes('share your accounting data'));
	expect(letter).toContain(`\n${String(upload?.url)}\n`);
	expect(letter).toContain('To: customer@example.com');
});

test('data is refreshed, and the upload waited for', async () => {
	const [refresh] = recordsOf(await run('refresh-and-wait.json'), 'Refresh and Wait');
	expect(refresh).toMatchObject({ actionRequired: false, upload: { status: 'COMPLETED' } });
});

test('a refresh ends with a notification', async () => {
	await run('refresh-then-notify.json');
	expect(messages).toContainEqual(expect.stringContaining('data refreshed'));
});

test('completed uploads get into a spreadsheet', async () => {
	const [upload] = recordsOf(await run('spreadsheet-sync.json'), 'Upload Completed');
	const folder = path.join(stage.n8n.folder, '.n8n-files');
	const [file] = readdirSync(folder);
	expect(readFileSync(path.join(folder, file ?? ''), 'utf8')).toContain(String(upload?.uploadId));
});

test('engagements without a recent upload are reported', async () => {
	const { model } = stage.service;
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

test('a call of the service leads to the details of the upload', async () => {
	const { rest, n8n, service } = stage;
	const example = examples.get('upload-webhook.json');
	if (example === undefined) throw new Error('There is no such example');
	const saved = await rest.createWorkflow(example);
	await rest.activate(saved);
	const call = async (body: object) => {
		const before = (await rest.executionsOf(saved.id)).length;
		const answer = await fetch(`${n8n.url}/webhook/upload-status`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect(answer.status).toBe(200);
		const look = async () => (await rest.executionsOf(saved.id))[before];
		return await rest.execution(await until(look, { what: 'execution', timeout: 30_000 }));
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
	expect(examples.size).toBe(7);
});
