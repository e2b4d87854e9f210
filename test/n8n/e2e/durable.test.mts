import { Sandbox } from '../sandbox.mts';
import { DURABLE_POLLING } from './modes.mts';
import {
	addHistory,
	every,
	PublishedTrigger,
	TRIGGER,
	triggerWorkflow,
	uploadIdsOf,
} from './polling.mts';
import { template } from './setup.mts';

let sandbox: Sandbox;
let trigger: PublishedTrigger;

// One workflow through its life: each test continues where the one before it stopped.
beforeAll(async () => {
	sandbox = await Sandbox.open(template(), { service: {}, env: DURABLE_POLLING });
	const workflow = triggerWorkflow(every(5), await addHistory(sandbox));
	trigger = await PublishedTrigger.publish(sandbox, workflow);
});

afterAll(async () => await sandbox?.close());

test('emits uploads that complete after the first poll once each, and none from before', async () => {
	await trigger.waitForPolls(3);
	for (let count = 0; count < 5; count += 1) trigger.complete();
	await trigger.expectAllEmitted();
	await trigger.waitForPolls(2);
	await trigger.expectAllEmitted();
});

test('n8n does not keep the cursor with the workflow', async () => {
	const { staticData } = await sandbox.rest.workflow(trigger.workflowId);
	expect(staticData).toMatchObject({ [`node:${TRIGGER}`]: {} });
	expect(JSON.stringify(staticData)).not.toContain('cursor');
});

test('emits what completed while the workflow was off once it is on again', async () => {
	await trigger.deactivate();
	trigger.complete();
	await trigger.activate();
	await trigger.expectAllEmitted();
});

test('neither repeats nor loses anything when published with other filters', async () => {
	await trigger.republish({ filters: { connectorNames: 'north' } });
	trigger.completeFilteredOut('south');
	await trigger.expectAllEmitted('north');
	await trigger.republish({ filters: {} });
	await trigger.expectAllEmitted('south');
});

test.each(['stop', 'kill'] as const)(
	'emits what completes during a restart once: %s',
	async (how) => {
		await trigger.waitForPolls(2);
		await sandbox.n8n[how]();
		trigger.complete();
		await sandbox.restart();
		await trigger.expectAllEmitted();
	},
);

test('a failed poll is a failed execution, and loses nothing once polls succeed again', async () => {
	const { service } = sandbox;
	service.fail({ path: /\/uploads$/ }, { kind: 'status', status: 403 }, { times: Infinity });
	trigger.complete();
	expect(uploadIdsOf(await trigger.firstFailure())).toEqual([]);
	service.clearFaults();
	// After such an error n8n polls again in half an hour, or when the workflow is published again.
	await trigger.deactivate();
	await trigger.activate();
	await trigger.expectAllEmitted();
});

// n8n gives each of the overlapping polls its own copy of the cursor, and the last one to end wins.
test('emits each upload once when polls take longer than the interval between them', async () => {
	const { service } = sandbox;
	service.settings.latencyMs = 7000;
	trigger.complete();
	await trigger.waitForPolls(3);
	service.settings.latencyMs = 0;
	await trigger.expectAllEmitted();
});
