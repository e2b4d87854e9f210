/** Polls that overlap, and two registrations of one trigger in a process, as n8n may leave them. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, OnError } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/transport/http/pool.ts';
import type { SimulatedService } from '../support/service/http.mts';
import { completeUpload, idsOf, pollerOf, useSmallService } from '../support/polls.mts';

let service: SimulatedService;
let workflowId: string;
useSmallService((started) => {
	service = started;
	workflowId = randomUUID();
});

const complete = () => completeUpload(service);

/** Another registration of the trigger, as n8n has saved it. */
const register = (parameters: IDataObject = {}, staticData: IDataObject = {}, onError?: OnError) =>
	pollerOf(service, parameters, { workflowId, staticData, onError });

const registerDurably = () => pollerOf(service, {}, { durable: true, workflowId });

describe('two registrations', () => {
	it('emit each upload once between them, and the newest’s parameters count', async () => {
		const older = register();
		expect(await idsOf(older)).toEqual([]);
		const newer = register({ output: 'raw' }, older.saved);
		expect(await idsOf(newer)).toEqual([]);
		for (const first of [older, newer, older]) {
			const id = complete();
			const second = first === older ? newer : older;
			expect(await idsOf(first)).toEqual([id]);
			expect(await idsOf(second)).toEqual([]);
			service.model.moveClock(60_000);
		}
	});

	it.each(['older', 'newer'] as const)('if only the %s polls, it misses nothing', async (which) => {
		const older = register();
		await older.poll();
		const newer = register({}, older.saved);
		await newer.poll();
		for (let time = 0; time < 3; time++) {
			const id = complete();
			expect(await idsOf(which === 'older' ? older : newer)).toEqual([id]);
			service.model.moveClock(60_000);
		}
	});

	it('go on from the newest state, even if the newer one began without any', async () => {
		const older = register();
		await older.poll();
		for (let time = 0; time < 2; time++) {
			const id = complete();
			expect(await idsOf(older)).toEqual([id]);
		}
		const newer = register();
		await newer.poll();
		const id = complete();
		expect(await idsOf(newer)).toEqual([id]);
		expect(await idsOf(older)).toEqual([]);
	});

	it.each([{ event: 'uploadStarted' }, { startFrom: 'beginning' }])(
		'the older emits nothing if the newer has %j',
		async (parameters) => {
			const older = register();
			await older.poll();
			const newer = register(parameters, older.saved);
			await newer.poll();
			const id = complete();
			expect(await idsOf(older)).toEqual([]);
			expect(await idsOf(newer)).toEqual([id]);
			expect(await idsOf(older)).toEqual([]);
		},
	);

	it('raise one alert per outage between them', async () => {
		const onError = 'continueRegularOutput';
		const older = register({}, {}, onError);
		await older.poll();
		const newer = register({}, older.saved, onError);
		await newer.poll();
		for (let outage = 0; outage < 4; outage++) {
			service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 }, { times: 4 });
			const order = outage % 2 === 0 ? [older, newer] : [newer, older];
			const alerts: unknown[] = [];
			for (const poller of [...order, ...order]) alerts.push(...((await poller.poll()) ?? []));
			expect(alerts).toHaveLength(1);
			// The outage ends for both, whichever polls next.
			const id = complete();
			expect(await idsOf(outage < 2 ? older : newer)).toEqual([id]);
		}
	});
});

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
	const [poller, late] = [registerDurably(), registerDurably()];
	await poller.poll();
	await late.poll();
	const first = complete();
	expect(await idsOf(poller)).toEqual([first]);
	expect(await idsOf(late)).toEqual([]);
	service.model.moveClock(60_000);
	const second = complete();
	expect(await idsOf(late)).toEqual([second]);
});

it('a durable poll starts from what n8n committed once half a minute has passed', async () => {
	const [discarded, poller] = [registerDurably(), registerDurably()];
	await discarded.poll();
	await poller.poll();
	await poller.poll();
	const id = complete();
	expect(await idsOf(discarded)).toEqual([id]);
	const later = systemClock.now() + 31_000;
	jest.spyOn(systemClock, 'now').mockReturnValue(later);
	expect(await idsOf(poller)).toEqual([id]);
});
