/** Two registrations of one trigger in a process, and durable polls that overlap, as n8n may leave them. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, OnError } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/transport/http/pool.ts';
import {
	activated,
	changeCredential,
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

const registerDurably = async () => await activated({}, { durable: true, workflowId });

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

// n8n reads the state of a durable poll some time before it polls, and commits it some time after.
it('a durable poll with an outdated state does not repeat uploads missing from it', async () => {
	const poller = await registerDurably();
	const late = await registerDurably();
	await expectNext(poller);
	expect(await idsOf(late)).toEqual([]);
});

// n8n discards what a durable poll emits, with its state, if it has given the poll's turn to another.
it('what n8n discards of a durable poll is emitted later, whatever polls come between', async () => {
	const discarded = await registerDurably();
	const poller = await registerDurably();
	await poller.poll();
	const ids = [complete()];
	expect(await idsOf(discarded)).toEqual(ids);
	ids.push(complete());
	let now = systemClock.now();
	jest.spyOn(systemClock, 'now').mockImplementation(() => now);
	const emitted: string[] = [];
	for (let polls = 0; polls < 10; polls++) {
		now += 10_000;
		emitted.push(...(await idsOf(poller)));
	}
	expect(emitted).toEqual(ids);
});

it.each([
	{ emission: 'a durable poll', pollsBefore: 1 },
	{ emission: 'the first durable poll', pollsBefore: 0 },
])('what n8n discards of $emission is emitted when published again', async ({ pollsBefore }) => {
	const poller = await registerDurably();
	for (let polls = 0; polls < pollsBefore; polls++) expect(await idsOf(poller)).toEqual([]);
	const staticData = poller.saved;
	const id = complete();
	expect(await idsOf(poller)).toEqual([id]);
	// n8n saves the workflow's own data all the same.
	const saved = { staticData, globalStaticData: poller.globalState };
	const again = trigger({}, { durable: true, workflowId, ...saved });
	// It might still be saving the node's.
	expect(await idsOf(again)).toEqual([]);
	const later = systemClock.now() + 31_000;
	jest.spyOn(systemClock, 'now').mockReturnValue(later);
	expect(await idsOf(again)).toEqual([id]);
});

it('an outage that begins while n8n saves what a durable poll emitted is reported once', async () => {
	const mode = { durable: true, workflowId, onError: 'continueRegularOutput' as const };
	const poller = await activated({}, mode);
	const late = await activated({}, mode);
	expect(await idsOf(late)).toEqual([]);
	await expectNext(poller);
	changeCredential(late, { baseUrl: 'http://example.com' });
	expect(await late.poll()).toBeNull();
	const later = systemClock.now() + 31_000;
	jest.spyOn(systemClock, 'now').mockReturnValue(later);
	expect(await late.poll()).toHaveLength(1);
	expect(await late.poll()).toBeNull();
});
