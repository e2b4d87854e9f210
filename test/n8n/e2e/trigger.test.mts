import type { Sandbox } from '../sandbox.mts';
import { waitFor, waitUntil } from '../waitFor.mts';
import { MODES } from './modes.mts';
import {
	addHistory,
	ERROR_TRIGGER,
	every,
	PublishedTrigger,
	publishErrorWorkflow,
	triggerWorkflow,
	uploadIdsOf,
} from './polling.mts';
import { recordsOf, useSandbox } from './setup.mts';

const BUSY_DAY = 2000;
/** Maximum size of the state, which n8n saves as JSON at each emission. */
const MAX_BYTES_PER_UPLOAD = 250;

// One workflow through its life: each test continues where the one before it stopped. What comes
// once, restarts and kills are in events.test.mts, for every event.
describe.each(MODES)('with %s polling', (mode, env) => {
	let sandbox: Sandbox;
	let trigger: PublishedTrigger;
	let errorWorkflow: string;

	const prepare = async (opened: Sandbox) => {
		sandbox = opened;
		errorWorkflow = await publishErrorWorkflow(sandbox);
		const workflow = triggerWorkflow(every(3), await addHistory(sandbox), { errorWorkflow });
		trigger = await PublishedTrigger.publish(sandbox, workflow);
	};
	useSandbox(prepare, { service: {}, env });

	test('emits what completed while the workflow was off once it is on again', async () => {
		await trigger.waitForPolls(3);
		await trigger.deactivate();
		trigger.complete();
		trigger.complete();
		await trigger.activate();
		await trigger.expectAllEmitted();
	});

	test('goes on where it stopped when it is renamed', async () => {
		await trigger.deactivate();
		trigger.complete();
		await trigger.rename();
		await trigger.expectAllEmitted();
	});

	// In memory mode, there is no transaction.
	const testIfDurable = mode === 'durable' ? test : () => {};
	testIfDurable('emits again what the database rolls back', async () => {
		const { n8n } = sandbox;
		await n8n.changeDatabase(`CREATE TRIGGER refuse BEFORE INSERT ON execution_entity
			BEGIN SELECT RAISE(ABORT, 'refused by a test'); END`);
		trigger.complete();
		const hasFailed = () => n8n.log.includes('refused by a test');
		await waitUntil(hasFailed, { what: 'a transaction that is rolled back' });
		await n8n.changeDatabase('DROP TRIGGER refuse');
		await trigger.expectAllEmitted();
	});

	test('emits what completed within the look-back when published with another filter', async () => {
		await trigger.republish({ filters: { connectorNames: 'north' } });
		const { uploadId } = sandbox.service.model.addCompletedUpload({ connectorName: 'south' });
		await trigger.expectAllEmitted({ connectorName: 'north' });
		trigger.expected.push(uploadId);
		await trigger.republish({ filters: {} });
		await trigger.expectAllEmitted({ connectorName: 'north' });
	});

	// In durable mode, n8n gives each of the overlapping polls its own copy of the state, and the last
	// one to end wins.
	test('emits each upload once when polls take longer than the interval between them', async () => {
		const { service } = sandbox;
		service.settings.latencyMs = 5000;
		trigger.complete();
		trigger.complete();
		await trigger.waitForPolls(3);
		service.settings.latencyMs = 0;
		await trigger.expectAllEmitted();
	});

	test('emits a busy day of 2,000 uploads once, and keeps a state that n8n can save', async () => {
		// So few pages that even a busy machine reads them in the time of a durable poll.
		await trigger.republish({ options: { pageSize: 1000 } });
		for (let count = 0; count < BUSY_DAY; count += 1) trigger.complete();
		await trigger.expectAllEmitted();
		const { staticData } = await sandbox.rest.workflow(trigger.workflowId);
		const saved = JSON.stringify(staticData);
		expect(saved.length).toBeLessThan(BUSY_DAY * MAX_BYTES_PER_UPLOAD);
		expect(saved).toContain(`"isDurable":${mode === 'durable'}`);
	});

	test('a failed poll is a failed execution, starts the error workflow and loses nothing', async () => {
		const { rest, service } = sandbox;
		const before = await trigger.failures();
		expect(before.map(({ error }) => error?.message)).toEqual([]);
		service.fail({ path: /\/uploads$/ }, { kind: 'status', status: 403 }, { times: Infinity });
		trigger.complete();
		const failed = await trigger.firstFailure();
		service.clearFaults();
		expect(failed.mode).toBe('trigger');
		expect(failed.error?.message).toMatch(/403|refused|permi/i);
		expect(uploadIdsOf(failed)).toEqual([]);
		await trigger.expectAllEmitted({ isResting: mode === 'durable' });

		const reported = await waitFor(
			async () => {
				const started = await rest.executionsOf(errorWorkflow);
				if (started.length < (await trigger.failures()).length) return undefined;
				return await Promise.all(started.map(async (id) => await rest.execution(id)));
			},
			{ what: 'an execution of the error workflow for every failed poll' },
		);
		for (const execution of reported) {
			const [note] = recordsOf(execution, ERROR_TRIGGER);
			expect(note).toMatchObject({ workflow: { id: trigger.workflowId } });
			expect(JSON.stringify(note)).toContain(failed.error?.message);
		}
	});
});
