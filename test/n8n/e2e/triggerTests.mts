/**
 * The trigger through publishing, restarts, kills, imports, outages and changes of the mode. Each mode of
 * polling has a test file, so that both run at the same time.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { events } from '../../../nodes/EngagementUploads/trigger/events/index.ts';
import { Sandbox } from '../sandbox.mts';
import { waitUntil } from '../waitFor.mts';
import {
	expectAllEmitted,
	expectNothingElse,
	PublishedTrigger,
	publishErrorWorkflow,
	waitForPolls,
} from './polling.mts';
import { template, useOpened } from './setup.mts';

/** No workflow here has a Code node, and n8n starts sooner without the program that runs them. */
const WITHOUT_CODE = { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'none' };

/** n8n's environment for each mode of polling. */
const MODES = {
	memory: WITHOUT_CODE,
	durable: {
		...WITHOUT_CODE,
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

const CONNECTOR = 'north';
/** Longer than Stuck After's default of six hours. */
const UNTIL_STUCK = 7 * 3_600_000;

type Mode = keyof typeof MODES;

/** Tests a mode of polling, and the change to the other one. */
export function testTrigger(mode: Mode, otherMode: Mode): void {
	let sandbox: Sandbox;
	let credential: string;

	const options = { service: { settings: { uploadDurationMs: Infinity } }, env: MODES[mode] };
	useOpened(async () => (sandbox = await Sandbox.open(template(), options)));
	beforeAll(async () => {
		credential = await sandbox.credential();
		sandbox.service.model.addConnector({ name: CONNECTOR });
		// What was there before is not emitted.
		for (let count = 0; count < 20; count += 1) sandbox.service.model.addCompletedUpload();
	});

	// Each test continues where the one before it stopped.
	describe('a workflow', () => {
		let trigger: PublishedTrigger;
		let withErrorOutput: PublishedTrigger;
		let errorWorkflow: string;

		beforeAll(async () => {
			errorWorkflow = await publishErrorWorkflow(sandbox);
			const onError = 'continueErrorOutput';
			trigger = await PublishedTrigger.publish(sandbox, {}, { credential, errorWorkflow });
			withErrorOutput = await PublishedTrigger.publish(sandbox, {}, { credential, onError });
			await waitForPolls(sandbox.service, 4);
		});

		afterAll(async () => {
			for (const each of [trigger, withErrorOutput]) await each.deactivate();
		});

		/** Completes an upload that both must emit. */
		function complete(): void {
			const { uploadId } = sandbox.service.model.addCompletedUpload();
			for (const { expected } of [trigger, withErrorOutput]) expected.push(uploadId);
		}

		test('goes on where it stopped when it was off, and its trigger was renamed', async () => {
			complete();
			await expectAllEmitted([trigger, withErrorOutput]);
			await trigger.deactivate();
			complete();
			await trigger.rename();
			await trigger.activate();
			await expectAllEmitted([trigger, withErrorOutput]);
		});

		// In memory, n8n leaves the earlier registration polling too (its issue 35251). Durable, n8n 2.41
		// does not poll at all after this until it is started again.
		test('emits each upload once after an import over it while it is active', async () => {
			const { n8n, rest } = sandbox;
			const file = path.join(n8n.folder, 'imported.json');
			writeFileSync(file, JSON.stringify([await rest.workflow(trigger.id)]));
			await n8n.command('import:workflow', `--input=${file}`);
			await trigger.activate();
			if (mode === 'durable') await sandbox.restart();
			for (let count = 0; count < 3; count += 1) complete();
			await expectAllEmitted([trigger, withErrorOutput]);
		});

		test('reports an outage: a failed execution, or one item at the error output', async () => {
			const { rest } = sandbox;
			const uploads = { path: /\/uploads$/ };
			const outage = { kind: 'status', status: 403 } as const;
			sandbox.service.fail(uploads, outage, { times: Infinity });
			complete();
			const isReported = async () => (await rest.listExecutions(errorWorkflow)).length > 0;
			await waitUntil(isReported, { what: 'the error workflow to run' });
			const failed = (await trigger.executions()).find(({ status }) => status === 'error');
			const message: unknown = expect.stringContaining('403');
			expect(failed).toMatchObject({ mode: 'trigger', error: { message } });
			// It would fail again after the restart, and would then not be polled for minutes.
			await trigger.deactivate();

			await waitUntil(async () => (await withErrorOutput.alerts()).length > 0, {
				what: 'an alert',
			});
			await sandbox.n8n.stop();
			complete();
			await sandbox.restart();
			await waitForPolls(sandbox.service, 3);
			sandbox.service.clearFaults();
			await trigger.activate();
			await expectAllEmitted([trigger, withErrorOutput]);
			await expectNothingElse(sandbox, [trigger, withErrorOutput]);
			expect(await withErrorOutput.alerts()).toEqual([expect.objectContaining({ error: message })]);
		});
	});

	describe('every event', () => {
		const triggers = new Map<string, PublishedTrigger>();
		/** The IDs of the uploads that `change` started last. */
		let started: string[];

		beforeAll(async () => {
			started = startUploads();
			for (const { value: event } of events)
				triggers.set(event, await PublishedTrigger.publish(sandbox, { event }, { credential }));
			await waitForPolls(sandbox.service, 2 * triggers.size);
		});

		function startUploads(): string[] {
			const { model } = sandbox.service;
			const { id } = model.addEngagement();
			return [1, 2, 3].map(() => model.startUpload(id, CONNECTOR).uploadId);
		}

		/** Hours later, one upload completes, one fails, one is stuck, and others start. */
		function change(): void {
			const { model } = sandbox.service;
			model.moveClock(UNTIL_STUCK);
			const [completing = '', failing = '', stuck = ''] = started;
			const { status: before } = model.uploads.existing(stuck);
			model.completeUpload(completing);
			model.failUpload(failing);
			started = startUploads();
			const emitted: Record<string, string[]> = {
				uploadCompleted: [completing],
				uploadFailed: [failing],
				uploadStarted: started,
				uploadStatusChanged: [
					`${completing} ${before} COMPLETED`,
					`${failing} ${before} FAILED`,
					...started.map((id) => `${id} null ${before}`),
				],
				uploadStuck: [stuck],
			};
			for (const [event, { expected }] of triggers) {
				const lines = emitted[event];
				if (!lines) throw new Error(`Add to change() what ${event} emits`);
				expected.push(...lines);
			}
		}

		test('is emitted once, and not for earlier uploads', async () => {
			change();
			await expectAllEmitted([...triggers.values()]);
		});

		test('is emitted once when n8n is killed between polls', async () => {
			await waitForPolls(sandbox.service, triggers.size);
			await sandbox.n8n.kill();
			change();
			await sandbox.restart();
			await expectAllEmitted([...triggers.values()]);
		});

		test(`is emitted once when the mode of polling becomes ${otherMode}`, async () => {
			await sandbox.n8n.stop();
			change();
			await sandbox.restart(MODES[otherMode]);
			await expectAllEmitted([...triggers.values()]);
			await expectNothingElse(sandbox, [...triggers.values()]);
		});
	});
}
