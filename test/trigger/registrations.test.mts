/** Two registrations of one trigger in a process, as n8n may leave them. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { credentialOf, endpointCredentialOf } from '../support/credentials.mts';
import type { IDataObject, OnError } from 'n8n-workflow';
import { forgetProcess } from '../../nodes/EngagementUploads/trigger/turn.ts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import {
	activated,
	complete,
	expectNext,
	idsOf,
	serveAnotherClient,
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

	it.each([
		{ endpoint: false, how: 'from the credential' },
		{ endpoint: true, how: 'from a token' },
	])(
		'the older emits nothing if the newer has another client, known $how',
		async ({ endpoint }) => {
			const older = await activated(
				{},
				{ workflowId, ...(endpoint && { credential: endpointCredentialOf(service) }) },
			);
			serveAnotherClient();
			const credential = { ...credentialOf(service), clientId: 'another-client' };
			const staticData = older.saved;
			const newer = await activated({}, { workflowId, staticData, credential });
			for (let polls = 0; polls < 2; polls++) {
				const id = complete();
				expect(await idsOf(older)).toEqual([]);
				expect(await idsOf(newer)).toEqual([id]);
			}
		},
	);

	it('a poll of the older that the newer supersedes neither emits nor fails', async () => {
		const onError = 'continueRegularOutput';
		const older = await register({}, {}, onError);
		await expectNext(older);
		service.settings.latencyMs = 200;
		let staticData = older.saved;
		for (const isFailing of [true, false]) {
			if (isFailing) service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 });
			const poll = older.poll();
			while (service.requests.at(-1)?.doneAt !== undefined) await nextTurn();
			const id = complete();
			const newer = trigger({}, { workflowId, onError, staticData });
			expect(await idsOf(newer)).toEqual([id]);
			staticData = newer.saved;
			expect(await poll).toBeNull();
		}
	});

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
	const start = async (globalStaticData = {}, onError?: OnError) =>
		await activated({}, { durable: true, workflowId, globalStaticData, onError });

	it('a poll whose data lack what the one before it emitted does nothing', async () => {
		const poller = await start();
		const late = await start(poller.globalState);
		await expectNext(poller);
		service.clearRequests();
		expect(await idsOf(late)).toEqual([]);
		expect(service.requests).toHaveLength(0);
		expect(late.state).toEqual({});
	});

	it('an alert is raised once, however late n8n saves it', async () => {
		const onError = 'continueRegularOutput';
		const [poller, late] = [await start({}, onError), await start({}, onError)];
		for (const each of [poller, late]) expect(await idsOf(each)).toEqual([]);
		service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 }, { times: Infinity });
		expect(await poller.poll()).toHaveLength(1);
		expect(await late.poll()).toBeNull();
		expect(await poller.poll()).toBeNull();
		// n8n has rolled it back.
		const now = systemClock.now();
		jest.spyOn(systemClock, 'now').mockReturnValue(now + 37_000);
		expect(await late.poll()).toHaveLength(1);
		expect(await late.poll()).toBeNull();
	});

	it.each([
		{ pollsBefore: 0, isAlerting: false },
		{ pollsBefore: 0, isAlerting: true },
		{ pollsBefore: 1, isAlerting: false },
		{ pollsBefore: 1, isAlerting: true },
	])(
		'what n8n rolls back is emitted once the time of that poll is over, %o',
		async ({ pollsBefore, isAlerting }) => {
			const poller = await start({}, 'continueRegularOutput');
			for (let polls = 0; polls < pollsBefore; polls++) expect(await idsOf(poller)).toEqual([]);
			const ids = [complete()];
			expect(await idsOf(poller)).toEqual(ids);
			poller.rollBack();
			ids.push(complete());
			expect(await idsOf(poller)).toEqual([]);
			const now = systemClock.now();
			const clock = jest.spyOn(systemClock, 'now').mockReturnValue(now + 37_000);
			if (isAlerting) {
				service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 });
				expect(await poller.poll()).toHaveLength(1);
				clock.mockReturnValue(now + 74_000);
			}
			expect(await idsOf(poller)).toEqual(ids);
			expect(await idsOf(poller)).toEqual([]);
		},
	);

	it('nothing comes twice though the first poll after a restart is given older data', async () => {
		const poller = await start();
		await expectNext(poller);
		const id = complete();
		expect(await idsOf(poller)).toEqual([id]);
		// The workflow's own data stay as they are.
		poller.rollBack();
		forgetProcess();
		expect(await idsOf(poller)).toEqual([]);
		await expectNext(poller);
	});
});
