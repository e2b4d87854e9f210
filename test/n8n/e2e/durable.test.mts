import { Stage } from '../stage.mts';
import { every, furnish, Polled, polledWorkflow } from './polled.mts';
import { template } from './setup.mts';

/** The mode, and a scheduler that looks often enough for a poll every five seconds. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
};

let stage: Stage;
let polled: Polled;

// One workflow through its life: each test goes on where the one before it stopped.
beforeAll(async () => {
	stage = await Stage.open(template(), { service: {}, env: DURABLE });
	polled = await Polled.publish(stage, polledWorkflow(every(5), await furnish(stage)));
});

afterAll(async () => { for (const e of await polled.executions()) console.log(e.id, JSON.stringify(e, ['startedAt','stoppedAt','createdAt']), e.runData['Upload Completed']?.[0]?.data?.main?.[0]?.map((i) => i.json.uploadId)); console.log(JSON.stringify(stage.service.requests.map((r) => [new Date(r.at).toISOString(), new Date(r.doneAt ?? 0).toISOString(), r.path.slice(-8), r.query.page]))); await stage?.close(); });

test('n8n keeps the cursors itself', async () => {
	await polled.settle();
	expect(stage.n8n.log).not.toContain('durable poll cursors stay disabled');
	console.log(JSON.stringify((await stage.rest.workflow(polled.id)).staticData));
});

test('the first look is not forgotten: only what completes after it comes, once', async () => {
	await polled.polls(3);
	for (let count = 0; count < 5; count += 1) polled.complete();
	await polled.settle();
	await polled.polls(3);
	await polled.settle();
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

test.each(['stop', 'kill'] as const)('what completes around a restart comes once: %s', async (how) => {
	await polled.polls(2);
	await stage.n8n[how]();
	polled.complete();
	await stage.restart();
	await polled.settle();
});

test('XX polls that overlap emit each upload once', async () => {
	const { service } = stage;
	service.clearRequests();
	service.settings.latencyMs = 7000;
	polled.complete();
	await polled.polls(4);
	expect(service.mostAtOnce).toBeGreaterThan(1);
	service.settings.latencyMs = 0;
	await polled.settle();
});

test('a poll that fails loses nothing', async () => {
	const { service } = stage;
	service.fail({ path: /\/uploads$/ }, { kind: 'status', status: 403 }, { times: 2 });
	polled.complete();
	await polled.polls(2);
	await polled.settle();
});
