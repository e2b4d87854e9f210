import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startChat, type Chat } from '../chat.mts';
import { readExamples } from '../examples.mts';
import type { Execution, WorkflowInput } from '../rest.mts';
import { credentialFor, Stage } from '../stage.mts';
import { recordsOf, template } from './setup.mts';

let stage: Stage;
let chat: Chat;
let examples: Map<string, WorkflowInput>;
const messages: string[] = [];

beforeAll(async () => {
	stage = await Stage.open(template());
	chat = await startChat((message) => messages.push(message));
	const { rest, service } = stage;
	const credential = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
	examples = readExamples(stage, credential, chat);
});

afterAll(async () => {
	await chat?.close();
	await stage?.close();
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
});

test('data is refreshed, and the upload waited for', async () => {
	const [refresh] = recordsOf(await run('refresh-and-wait.json'), 'Refresh and Wait');
	expect(refresh).toMatchObject({ actionRequired: false, upload: { status: 'COMPLETED' } });
});

test('a refresh ends with a notification', async () => {
	await run('refresh-then-notify.json');
	expect(messages).toContainEqual(expect.stringContaining('the data was refreshed'));
});

test('completed uploads get into a spreadsheet', async () => {
	const [upload] = recordsOf(await run('spreadsheet-sync.json'), 'Upload Completed');
	const folder = path.join(stage.n8n.folder, '.n8n-files');
	const [file] = readdirSync(folder);
	expect(readFileSync(path.join(folder, file ?? ''), 'utf8')).toContain(String(upload?.uploadId));
});

test('every example has been run', () => {
	expect(examples.size).toBe(5);
});
