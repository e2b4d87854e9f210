import { Stage } from '../stage.mts';
import { until } from '../until.mts';
import { every, furnish, Polled, polledWorkflow, TRIGGER, uploadIdsOf } from './polled.mts';
import { template } from './setup.mts';

/** The mode, and a scheduler that looks often enough for a poll every five seconds. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	// Else the polls that were missed during a restart are all made up for at the same time.
	N8N_SCHEDULER_MISFIRE_GRACE: '4',
};

let stage: Stage;
let polled: Polled;

// One workflow through its life: each test goes on where the one before it stopped.
beforeAll(async () => {
	stage = await Stage.open(template(), { service: {}, env: DURABLE });
	polled = await Polled.publish(stage, polledWorkflow(every(5), await furnish(stage)));
});

afterAll(async () => await stage?.closeAndSearch());

test('the first look is not forgotten: only what completes after it comes, once', async () => {
	await polled.polls(3);
	for (let count = 0; count < 5; count += 1) polled.complete();
	await polled.settle();
	await polled.polls(2);
	await polled.settle();
});

test('n8n keeps the cursor elsewhere than with the workflow', async () => {
	const { staticData } = await stage.rest.workflow(polled.id);
	expect(staticData).toMatchObject({ [`node:${TRIGGER}`]: {} });
	expect(JSON.stringify(staticData)).not.toContain('cursor');
});

test('what completes while the workflow is off comes when it is on again', async () => {
	await polled.switchOff();
	polled.complete();
	await polled.switchOn();
	await polled.settle();
});

test('published with other filters, it neither replays nor loses anything', async () => {
	await polled.republish({ filters: { connectorNames: 'north' } });
	polled.completeAside('south');
	await polled.settle('north');
	await polled.republish({ filters: {} });
	await polled.settle('south');
});

test.each(['stop', 'kill'] as const)(
	'what completes around a restart comes once: %s',
	async (how) => {
		await polled.polls(2);
		await stage.n8n[how]();
		polled.complete();
		await stage.restart();
		await polled.settle();
	},
);

test('a poll that fails is a failed execution, and loses nothing when polls go on', async () => {
	const { service } = stage;
	service.fail({ path: /\/uploads$/ }, { kind: 'status', status: 403 }, { times: Infinity });
	polled.complete();
	const failed = await until(
		async () => (await polled.executions()).find(({ status }) => status === 'error'),
		{ what: 'failed execution', timeout: 60_000 },
	);
	expect(uploadIdsOf(failed)).toEqual([]);
	service.clearFaults();
	// After such an error n8n polls again in half an hour, or when the workflow is switched on anew.
	await polled.switchOff();
	await polled.switchOn();
	await polled.settle();
});

// n8n hands each of the overlapping polls its own copy of the cursor, and the last one to end wins.
test('polls that overlap emit each upload once', async () => {
	const { service } = stage;
	service.settings.latencyMs = 7000;
	polled.complete();
	await polled.polls(3);
	service.settings.latencyMs = 0;
	await polled.settle();
});
