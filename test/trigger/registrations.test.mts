/** Two registrations of one trigger in a process, as n8n may leave them. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, OnError } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/transport/http/pool.ts';
import {
	activated,
	complete,
	expectNext,
	idsOf,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

let workflowId: string;
useSmallService(() => {
	workflowId = randomUUID();
});

/** Another registration of the trigger, as n8n has saved it. */
const register = async (
	parameters: IDataObject = {},
	staticData: IDataObject = {},
	onError?: OnError,
) => await activated(parameters, { workflowId, staticData, onError });

describe('two registrations', () => {
	it('emit each upload once between them, and the newest’s parameters count', async () => {
		const older = await register();
		const newer = await register({ output: 'raw' }, older.saved);
		for (const first of [older, newer, older]) {
			const id = complete();
			const second = first === older ? newer : older;
			expect(await idsOf(first)).toEqual([id]);
			expect(await idsOf(second)).toEqual([]);
			service.model.moveClock(60_000);
		}
	});

	it.each(['older', 'newer'] as const)('if only the %s polls, it misses nothing', async (which) => {
		const older = await register();
		const newer = await register({}, older.saved);
		for (let time = 0; time < 3; time++) {
			await expectNext(which === 'older' ? older : newer);
			service.model.moveClock(60_000);
		}
	});

	it('go on from the newest state, even if the newer one began without any', async () => {
		const older = await register();
		for (let time = 0; time < 2; time++) await expectNext(older);
		const newer = await register();
		await expectNext(newer);
		expect(await idsOf(older)).toEqual([]);
	});

	it.each([{ event: 'uploadStarted' }, { startFrom: 'beginning' }])(
		'the older emits nothing if the newer has %j',
		async (parameters) => {
			const older = await register();
			const newer = await register(parameters, older.saved);
			const id = complete();
			expect(await idsOf(older)).toEqual([]);
			expect(await idsOf(newer)).toEqual([id]);
			expect(await idsOf(older)).toEqual([]);
		},
	);

	it('raise one alert per outage between them', async () => {
		const onError = 'continueRegularOutput';
		const older = await register({}, {}, onError);
		const newer = await register({}, older.saved, onError);
		for (let outage = 0; outage < 4; outage++) {
			service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 }, { times: 4 });
			const order = outage % 2 === 0 ? [older, newer] : [newer, older];
			const alerts: unknown[] = [];
			for (const poller of [...order, ...order]) alerts.push(...((await poller.poll()) ?? []));
			expect(alerts).toHaveLength(1);
			// The outage ends for both, whichever polls next.
			await expectNext(outage < 2 ? older : newer);
		}
	});
});

describe('in durable polling', () => {
	const start = async (saved = {}) =>
		await activated({}, { durable: true, workflowId, globalStaticData: saved });

	it('a poll whose data lack what the one before it emitted does nothing', async () => {
		const poller = await start();
		const late = await start(poller.globalState);
		await expectNext(poller);
		service.clearRequests();
		expect(await idsOf(late)).toEqual([]);
		expect(service.requests).toHaveLength(0);
		expect(late.state).toEqual({});
	});

	// n8n discards what a poll emits, with its state, if it has given the poll's turn to another.
	it.each([{ pollsBefore: 0 }, { pollsBefore: 1 }])(
		'what n8n discards is emitted once the time of that poll is over, %o',
		async ({ pollsBefore }) => {
			const poller = await start();
			for (let polls = 0; polls < pollsBefore; polls++) expect(await idsOf(poller)).toEqual([]);
			const discarding = trigger(
				{},
				{
					durable: true,
					workflowId,
					staticData: poller.saved,
					globalStaticData: poller.globalState,
				},
			);
			expect(await idsOf(discarding)).toEqual([]);
			const ids = [complete()];
			expect(await idsOf(discarding)).toEqual(ids);
			ids.push(complete());
			const now = systemClock.now();
			jest.spyOn(systemClock, 'now').mockReturnValue(now + 37_000);
			expect(await idsOf(poller)).toEqual(ids);
			expect(await idsOf(poller)).toEqual([]);
		},
	);
});
