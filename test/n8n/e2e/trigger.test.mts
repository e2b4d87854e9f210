import type { Execution } from '../rest.mts';
import { Stage } from '../stage.mts';
import { until } from '../until.mts';
import {
	ERROR_TRIGGER,
	every,
	furnish,
	Polled,
	polledWorkflow,
	publishErrorWorkflow,
	uploadIdsOf,
} from './polled.mts';
import { recordsOf, template } from './setup.mts';

let stage: Stage;
let polled: Polled;
let errorWorkflow: string;

// One workflow through its life: each test goes on where the one before it stopped.
beforeAll(async () => {
	stage = await Stage.open(template(), { service: {} });
	errorWorkflow = await publishErrorWorkflow(stage);
	const workflow = polledWorkflow(every(5), await furnish(stage), { errorWorkflow });
	polled = await Polled.publish(stage, workflow);
});

afterAll(async () => await stage?.closeAndSearch());

test('uploads that complete from then on are emitted once, without what was there', async () => {
	await polled.polls(2);
	await polled.settle();
	for (let count = 0; count < 5; count += 1) polled.complete();
	await polled.settle();
	await polled.polls(2);
	await polled.settle();
});

test('what completes while the workflow is off comes when it is on again', async () => {
	await polled.switchOff();
	polled.complete();
	polled.complete();
	await polled.switchOn();
	await polled.settle();
});

test('published with other filters, it neither replays nor loses anything', async () => {
	await polled.republish({ filters: { connectorNames: 'north' } });
	polled.completeAside('south');
	await polled.settle('north');
	await polled.republish({ filters: { connectorNames: 'south' } });
	polled.completeAside('north');
	await polled.settle('south');
	await polled.republish({ filters: {} });
	await polled.settle('north');
});

test('what completes during an orderly restart comes once', async () => {
	await stage.n8n.stop();
	polled.complete();
	polled.complete();
	await stage.restart();
	await polled.settle();
});

test('what completes after a SIGKILL between polls comes once', async () => {
	await polled.polls(2);
	await stage.n8n.kill();
	polled.complete();
	polled.complete();
	await stage.restart();
	await polled.settle();
});

test('polls that overlap emit each upload once', async () => {
	const { service } = stage;
	service.clearRequests();
	service.settings.latencyMs = 8000;
	polled.complete();
	polled.complete();
	await until(() => service.mostAtOnce > 1 || undefined, {
		what: 'overlapping polls',
		timeout: 60_000,
	});
	await polled.polls(2);
	service.settings.latencyMs = 0;
	await polled.settle();
});

/** The workflow's failed executions. */
async function failures(): Promise<Execution[]> {
	return (await polled.executions()).filter(({ status }) => status === 'error');
}

test('a poll that fails is a failed execution, starts the error workflow and loses nothing', async () => {
	const { rest, service } = stage;
	expect(await failures()).toEqual([]);
	service.fail({ path: /\/uploads$/ }, { kind: 'status', status: 403 }, { times: Infinity });
	polled.complete();
	const failed = await until(async () => (await failures())[0], {
		what: 'failed execution',
		timeout: 60_000,
	});
	service.clearFaults();
	expect(failed.mode).toBe('trigger');
	expect(failed.error?.message).toMatch(/403|refused|permi/i);
	expect(uploadIdsOf(failed)).toEqual([]);
	await polled.settle();

	// By now there may have been a second one.
	const count = (await failures()).length;
	const started = await until(
		async () => {
			const ids = await rest.executionsOf(errorWorkflow);
			return ids.length >= count ? ids : undefined;
		},
		{ what: 'execution of the error workflow', timeout: 60_000 },
	);
	expect(started).toHaveLength(count);
	const [note] = recordsOf(await rest.execution(started[0] ?? ''), ERROR_TRIGGER);
	expect(note).toMatchObject({ workflow: { id: polled.id } });
	expect(JSON.stringify(note)).toContain(failed.error?.message);
});
