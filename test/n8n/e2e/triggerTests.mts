/**
 * The trigger through publishing, restarts, kills, imports, outages and changes of the mode. Each mode of
 * polling has a test file, so that both run at the same time.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Sandbox } from '../process/sandbox.mts';
import { waitUntil } from '../process/waitFor.mts';
import {
	expectAllEmitted,
	PublishedTrigger,
	publishErrorWorkflow,
	waitForPolls,
} from './polling.mts';
import { template, useOpened } from './setup.mts';

/** n8n's environment for each mode of polling. */
const MODES = {
	memory: {},
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// Fast enough for polls every few seconds.
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
		// Otherwise, all polls missed during a restart would run at the same time.
		N8N_SCHEDULER_MISFIRE_GRACE: '4',
	},
};

type Mode = keyof typeof MODES;

/** Tests a mode of polling, and the change to the other one. Each test continues where the one before it stopped. */
export function testTrigger(mode: Mode, otherMode: Mode): void {
	let sandbox: Sandbox;
	/** Emits completed uploads. */
	let trigger: PublishedTrigger;
	/** Emits every change of a status, and failures at its error output. */
	let following: PublishedTrigger;
	let errorWorkflow: string;

	const options = { service: { settings: { uploadDurationMs: Infinity } }, env: MODES[mode] };
	useOpened(async () => (sandbox = await Sandbox.open(template(), options)));
	beforeAll(async () => {
		const credential = await sandbox.credential();
		// What was there before is not emitted.
		for (let count = 0; count < 20; count += 1) sandbox.service.model.addCompletedUpload();
		errorWorkflow = await publishErrorWorkflow(sandbox);
		trigger = await PublishedTrigger.publish(sandbox, {}, { credential, errorWorkflow });
		const changed = { event: 'uploadStatusChanged' };
		const onError = 'continueErrorOutput';
		following = await PublishedTrigger.publish(sandbox, changed, { credential, onError });
		await waitForPolls(sandbox.service, 4);
	});

	/** Completes an upload, which both must emit. `before`: the status that was emitted before. */
	function complete({ uploadId } = sandbox.service.model.addUpload(), before = 'null'): void {
		sandbox.service.model.completeUpload(uploadId);
		trigger.expected.push(uploadId);
		following.expected.push(`${uploadId} ${before} COMPLETED`);
	}

	const expectBothEmitted = async () => await expectAllEmitted([trigger, following]);

	test('goes on where it stopped when it was off, and its trigger was renamed', async () => {
		complete();
		await expectBothEmitted();
		const { rest } = sandbox;
		await rest.deactivate(trigger);
		complete();
		await trigger.rename();
		await rest.activate(trigger);
		await expectBothEmitted();
	});

	// In memory, n8n leaves the earlier registration polling too (its issue 35251). Durable, n8n 2.41
	// does not poll at all after this until it is started again.
	test('emits each upload once after an import over it while it is active', async () => {
		const { n8n, rest } = sandbox;
		const file = path.join(n8n.folder, 'imported.json');
		writeFileSync(file, JSON.stringify([await rest.workflow(trigger.id)]));
		await n8n.command('import:workflow', `--input=${file}`);
		await rest.activate(trigger);
		if (mode === 'durable') await sandbox.restart();
		for (let count = 0; count < 3; count += 1) complete();
		await expectBothEmitted();
	});

	test('reports an outage, and emits each upload once after it, though n8n was killed during it', async () => {
		const { rest } = sandbox;
		const uploads = { path: /\/uploads$/ };
		// At this word, n8n gives up a trigger that fails when n8n starts.
		const body = { message: 'Authorization denied' };
		const outage = { kind: 'status', status: 403, body } as const;
		sandbox.service.fail(uploads, outage, { times: Infinity });
		complete();
		const isReported = async () => (await rest.listExecutions(errorWorkflow)).length > 0;
		await waitUntil(isReported, { what: 'the error workflow to run' });
		const failed = (await trigger.executions()).find(({ status }) => status === 'error');
		const message: unknown = expect.stringContaining('403');
		expect(failed).toMatchObject({ mode: 'trigger', error: { message } });
		// In durable polling, n8n waits longer and longer between polls that fail.
		if (mode === 'durable') await rest.deactivate(trigger);

		await waitUntil(async () => (await following.alerts()).length > 0, { what: 'an alert' });
		await sandbox.n8n.kill();
		complete();
		await sandbox.restart();
		await waitForPolls(sandbox.service, 3);
		sandbox.service.clearFaults();
		if (mode === 'durable') await rest.activate(trigger);
		await expectBothEmitted();
		expect(await following.alerts()).toEqual([expect.objectContaining({ error: message })]);
	});

	test(`emits each change once when n8n is killed, and polls ${otherMode} from then on`, async () => {
		const upload = sandbox.service.model.addUpload();
		following.expected.push(`${upload.uploadId} null LOADING`);
		await expectAllEmitted([following]);
		await sandbox.n8n.kill();
		complete(upload, 'LOADING');
		complete();
		await sandbox.restart(MODES[otherMode]);
		await expectBothEmitted();
		// Nothing more comes, also not of what an earlier test has caused.
		await waitForPolls(sandbox.service, 4);
		await expectBothEmitted();
		expect(await following.alerts()).toHaveLength(1);
	});
}
