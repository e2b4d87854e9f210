import { randomUUID } from 'node:crypto';
import type { SimulatedService } from '../support/service/http.mts';
import type { Poller } from '../support/engine/poll.mts';
import { systemClock } from '../../nodes/EngagementUploads/transport/http/pool.ts';
import { completeUpload, idsOf, pollerOf, useSmallService } from '../support/polls.mts';

let service: SimulatedService;
useSmallService((started) => (service = started));

const complete = () => completeUpload(service);

it('a poll waits for the previous one, and requests the list when it is its turn', async () => {
	service.settings.latencyMs = 50;
	const poller = pollerOf(service);
	await poller.poll();
	const id = complete();
	service.clearRequests();
	const polls = await Promise.all([idsOf(poller), idsOf(poller), idsOf(poller)]);
	expect(polls.flat()).toEqual([id]);
	expect(service.requests).toHaveLength(3);
	expect(service.mostAtOnce).toBe(1);
});

// n8n reads the state of a durable poll some time before it polls, and commits it some time after.
it('a durable poll with an outdated state does not repeat uploads missing from it', async () => {
	const [workflowId, nodeId] = ['workflow', randomUUID()];
	const [poller, late] = [1, 2].map(() =>
		pollerOf(service, {}, { durable: true, workflowId, nodeId }),
	);
	await poller?.poll();
	await late?.poll();
	const first = complete();
	expect(await idsOf(poller as Poller)).toEqual([first]);
	expect(await idsOf(late as Poller)).toEqual([]);
	service.model.moveClock(60_000);
	const second = complete();
	expect(await idsOf(late as Poller)).toEqual([second]);
});

it('a durable poll starts from what n8n committed once half a minute has passed', async () => {
	const [workflowId, nodeId] = ['workflow', randomUUID()];
	const create = () => pollerOf(service, {}, { durable: true, workflowId, nodeId });
	const [discarded, poller] = [create(), create()];
	await discarded.poll();
	await poller.poll();
	await poller.poll();
	const id = complete();
	expect(await idsOf(discarded)).toEqual([id]);
	const later = systemClock.now() + 31_000;
	jest.spyOn(systemClock, 'now').mockReturnValue(later);
	expect(await idsOf(poller)).toEqual([id]);
});
