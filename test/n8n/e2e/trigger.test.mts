/**
 * The trigger through publishing, restarts, kills and outages: as n8n polls by default, and with
 * durable polling. Each test continues where the one before it stopped.
 */
import { Sandbox } from '../process/sandbox.mts';
import { waitUntil } from '../process/waitFor.mts';
import { expectAllEmitted, PublishedTrigger, waitForPolls } from './polling.mts';
import { template, useOpened } from './setup.mts';

/** n8n's environment for durable polling. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// Fast enough for polls every few seconds.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	// Otherwise, all polls missed during a restart would run at the same time.
	N8N_SCHEDULER_MISFIRE_GRACE: '4',
};

let sandbox: Sandbox;
/** Emits completed uploads. */
let trigger: PublishedTrigger;
/** Emits every change of a status, and failures at its error output. */
let following: PublishedTrigger;

const service = { settings: { uploadDurationMs: Infinity } };
useOpened(async () => (sandbox = await Sandbox.open(template(), { service })));

beforeAll(async () => {
	const credential = await sandbox.credential();
	// What was there before is not emitted.
	for (let count = 0; count < 20; count += 1) sandbox.service.model.addCompletedUpload();
	trigger = await PublishedTrigger.publish(sandbox, {}, credential);
	const changed = { event: 'uploadStatusChanged' };
	const toErrorOutput = 'continueErrorOutput';
	following = await PublishedTrigger.publish(sandbox, changed, credential, toErrorOutput);
	await waitForPolls(sandbox.service, 4);
});

/** Completes an upload, which both must emit. `before`: the status that was emitted before. */
function complete({ uploadId } = sandbox.service.model.addUpload(), before = 'null'): void {
	sandbox.service.model.completeUpload(uploadId);
	trigger.expected.push(uploadId);
	following.expected.push(`${uploadId} ${before} COMPLETED`);
}

const expectBothEmitted = async () => await expectAllEmitted([trigger, following]);

test('goes on where it stopped when it was off', async () => {
	complete();
	await expectBothEmitted();
	const { rest } = sandbox;
	await rest.deactivate(trigger);
	complete();
	await rest.activate(trigger);
	await expectBothEmitted();
});

test('reports an outage, and emits each upload once after it, though n8n was killed during it', async () => {
	// At this word, n8n gives up a trigger that fails when n8n starts.
	const body = { message: 'Authorization denied' };
	const outage = { kind: 'status', status: 403, body } as const;
	sandbox.service.fail({ path: /\/uploads$/ }, outage, { times: Infinity });
	complete();
	const findFailed = async () =>
		(await trigger.executions()).find(({ status }) => status === 'error');
	const message: unknown = expect.stringContaining('403');
	const failed = await waitUntil(findFailed, 'a failed poll');
	expect(failed).toMatchObject({ mode: 'trigger', error: { message } });
	await waitUntil(async () => (await following.alerts()).length > 0, 'an alert');
	await sandbox.n8n.kill();
	complete();
	await sandbox.restart();
	await waitForPolls(sandbox.service, 3);
	sandbox.service.clearFaults();
	await expectBothEmitted();
	expect(await following.alerts()).toEqual([expect.objectContaining({ error: message })]);
});

test.each([
	['durably', DURABLE],
	['by default', {}],
])('emits each change once when n8n is killed, and polls %s from then on', async (_, env) => {
	const upload = sandbox.service.model.addUpload();
	following.expected.push(`${upload.uploadId} null LOADING`);
	await expectAllEmitted([following]);
	await sandbox.n8n.kill();
	complete(upload, 'LOADING');
	complete();
	await sandbox.restart(env);
	await expectBothEmitted();
	// Nothing more comes, also not of what an earlier test has caused.
	await waitForPolls(sandbox.service, 4);
	await expectBothEmitted();
	expect(await following.alerts()).toHaveLength(1);
});

test('the token that was fetched first is used after all restarts', () => {
	const { requests } = sandbox.service;
	expect(requests.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1);
});
