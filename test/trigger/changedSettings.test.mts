/** What starts the trigger over, and what it goes on with. */
import { forgetProcess } from '../../nodes/EngagementUploads/trigger/turn.ts';
import { endpointCredentialOf } from '../support/credentials.mts';
import {
	activated,
	changeCredential,
	complete,
	expectNext,
	idsOf,
	modes,
	serveAnotherClient,
	service,
	start,
	trigger,
	useSmallService,
} from './polling.mts';

const HOUR = 3_600_000;

useSmallService();

describe('the trigger starts over', () => {
	it.each([
		['another start', { startFrom: 'date', startDate: '2026-06-15T09:00:00Z' }],
		['another date', { startFrom: 'date', startDate: '2026-06-15T09:10:00Z' }],
		['the beginning', { startFrom: 'beginning' }],
		['another event', { event: 'uploadStarted', startFrom: 'beginning' }],
	])('with %s', async (_what, parameters) => {
		const id = complete(30);
		const poller = trigger({ startFrom: 'date', startDate: '2026-06-15T09:20:00Z' });
		expect(await idsOf(poller)).toEqual([id]);
		poller.change(parameters);
		expect(await idsOf(poller)).toEqual([id]);
	});

	it.each(modes)('when the start is changed and changed back, %o', async (mode) => {
		complete(1);
		const poller = await activated({}, mode);
		await expectNext(poller);
		poller.change({ startFrom: 'beginning' });
		expect(await idsOf(poller)).toHaveLength(2);
		poller.change({});
		expect(await idsOf(poller)).toEqual([]);
		await expectNext(poller);
	});

	it.each(modes)('with another client, %o', async (mode) => {
		const id = complete(30);
		const poller = trigger({ startFrom: 'beginning' }, mode);
		expect(await idsOf(poller)).toEqual([id]);
		serveAnotherClient();
		changeCredential(poller, { clientId: 'another-client' });
		expect(await idsOf(poller)).toEqual([id]);
		expect(await idsOf(poller)).toEqual([]);
	});

	const changes = [{ nodeId: 'other' }, { client: 'other' }];
	it.each(modes.flatMap((mode) => changes.map((change) => ({ ...mode, change }))))(
		// Such as that of a trigger that was deleted and added again.
		'if what n8n holds for it is of another, %j',
		async ({ durable, change }) => {
			const parameters = { startFrom: 'beginning' };
			const id = complete(30);
			const other = trigger(parameters);
			expect(await idsOf(other)).toEqual([id]);
			const cursor = { ...(other.state.cursor as object), ...change };
			const globalStaticData = Object.fromEntries(
				Object.keys(other.globalState).map((name) => [name, cursor]),
			);
			const staticData = { cursor, other: 'data' };
			const poller = trigger(parameters, { durable, staticData, globalStaticData });
			expect(await idsOf(poller)).toEqual([id]);
			expect(await idsOf(poller)).toEqual([]);
			expect(poller.state).toMatchObject({ other: 'data' });
		},
	);
});

it('a token that tells the client ID is fetched first', async () => {
	const id = complete(5);
	const credential = endpointCredentialOf(service);
	const poller = trigger({ startFrom: 'beginning' }, { credential });
	expect(await idsOf(poller)).toEqual([id]);
	expect(service.requests[0]).toMatchObject({ method: 'POST', path: '/v1/oauth/token' });
	expect(await idsOf(poller)).toEqual([]);
});

it('an expression for the start is evaluated once, when it is first seen', async () => {
	const parameters = { startFrom: 'date', startDate: '={{ $now }}' };
	service.model.setClock(Date.now());
	complete(100);
	const poller = await activated(parameters);
	service.model.moveClock(60_000);
	const id = complete();
	poller.restart();
	expect(await idsOf(poller)).toEqual([id]);
});

describe('filters', () => {
	it('that are changed replay nothing that the old ones left out', async () => {
		service.model.addConnector({ name: 'ledgerpro' });
		const other = () => complete(0, { connectorName: 'ledgerpro' });
		const poller = await activated({ filters: { connectorNames: 'cloudbooks' } });
		other();
		expect(await idsOf(poller)).toEqual([]);
		poller.change({ filters: { connectorNames: 'ledgerpro' } });
		complete();
		const next = other();
		expect(await idsOf(poller)).toEqual([next]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('that are widened while n8n restarts lose nothing until a poll succeeds', async () => {
		service.model.addConnector({ name: 'ledgerpro' });
		const poller = await activated({ filters: { connectorNames: 'cloudbooks' } });
		await expectNext(poller);
		forgetProcess();
		poller.change({});
		const ids: string[] = [];
		for (let polls = 0; polls < 3; polls++) {
			service.model.moveClock(HOUR);
			ids.push(complete(), complete(0, { connectorName: 'ledgerpro' }));
			service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 });
			await expect(poller.poll()).rejects.toThrow('403');
		}
		expect((await idsOf(poller)).toSorted()).toEqual(ids.toSorted());
		expect(await idsOf(poller)).toEqual([]);
	});

	it('find connectors by ID, and reject unknown ones when the workflow is published', async () => {
		const [connector] = service.model.connectors;
		const id = complete(3);
		const filters = { connectorNames: `0${connector?.id}.0` };
		expect(await idsOf(trigger({ startFrom: 'beginning', filters }))).toEqual([id]);
		for (const mode of ['trigger', 'manual'] as const) {
			const unknown = trigger({ filters: { connectorNames: 'mossbooks' } }, { mode });
			await expect(unknown.poll()).rejects.toThrow('“mossbooks” is not a connector');
		}
	});

	describe.each(modes)('that name a connector which the service drops, %o,', (mode) => {
		const withFilter = (connectorNames: string) => ({ filters: { connectorNames } });

		it('do not keep n8n from starting again', async () => {
			service.model.addConnector({ name: 'ledgerpro', title: 'Ledger Pro' });
			const connectorNames = 'Ledger Pro, cloudbooks';
			const poller = await activated(withFilter(connectorNames), mode);
			await expectNext(poller);
			service.model.connectors.splice(1, 1);
			forgetProcess();
			poller.restart();
			const started = trigger(withFilter(connectorNames), {
				...mode,
				activation: 'init',
				staticData: poller.saved,
				globalStaticData: poller.globalState,
			});
			// Its uploads may still be listed.
			const ids = [complete(2, { connectorName: 'ledgerpro' }), complete(1)];
			expect(await idsOf(started)).toEqual(ids);
			expect(await idsOf(started)).toEqual([]);
		});

		it('are compared as they are if nobody has looked the connector up', async () => {
			const started = await activated(withFilter('mossbooks, cloudbooks'), {
				...mode,
				activation: 'init',
			});
			await expectNext(started);
			expect(await idsOf(started)).toEqual([]);
		});
	});
});

describe.each(modes)('a trigger, %o', (mode) => {
	it('continues when it is renamed, and renamed back', async () => {
		const parameters = { event: 'uploadStarted' };
		const before = await activated(parameters, { ...mode, nodeName: 'Before' });
		await expectNext(before, start);
		const data = { globalStaticData: before.globalState };
		const after = trigger(parameters, { ...mode, ...data, nodeName: 'After' });
		await expectNext(after, start);
		const both = { staticData: before.state, globalStaticData: after.globalState };
		const again = trigger(parameters, { ...mode, ...both, nodeName: 'Before' });
		await expectNext(again, start);
	});

	it('continues with another address of the service', async () => {
		const poller = await activated({}, mode);
		changeCredential(poller, { baseUrl: service.url.replace('127.0.0.1', 'localhost') });
		await expectNext(poller);
		changeCredential(poller, { baseUrl: `${service.url}/v1/` });
		poller.restart();
		expect(await idsOf(poller)).toEqual([]);
	});

	it('emits uploads that are listed late, and no old ones, once its look-back is longer', async () => {
		for (const minutes of [600, 1]) complete(minutes);
		const poller = await activated({}, mode);
		poller.change({ options: { lookback: 1440 } });
		expect(await idsOf(poller)).toEqual([]);
		service.model.moveClock(10 * HOUR);
		await expectNext(poller);
		const late = complete(500);
		expect(await idsOf(poller)).toEqual([late]);
	});
});
