/** How the trigger starts, what starts it over, and what it goes on with. */
import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { makeEndpointCredential } from '../support/world/credentials.mts';
import type { Poller } from '../support/engine/poller.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import {
	activated,
	changeAnswers,
	changeCredential,
	complete,
	expectNext,
	listIds,
	modes,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;

useVirtualTime();
useSmallService();

describe('the trigger starts over', () => {
	it.each([
		['another date', { startFrom: 'date', startDate: '2026-06-15T09:10:00Z' }],
		['the beginning', { startFrom: 'beginning' }],
		['another event', { event: 'uploadStarted', startFrom: 'beginning' }],
	])('with %s', async (_what, parameters) => {
		const id = complete(30);
		const poller = trigger({ startFrom: 'date', startDate: '2026-06-15T09:20:00Z' });
		expect(await listIds(poller)).toEqual([id]);
		poller.change(parameters);
		expect(await listIds(poller)).toEqual([id]);
	});

	it('with another client that only a new token reveals, though not with another token', async () => {
		const credential = makeEndpointCredential(service);
		const poller = trigger({ startFrom: 'beginning' }, { credential });
		const ids = [complete(30)];
		expect(await listIds(poller)).toEqual(ids);
		changeCredential(poller, { sessionToken: '', sessionClientId: '' });
		expect(await listIds(poller)).toEqual([]);
		// It has the same uploads.
		const handle = service.handle.bind(service);
		service.handle = ({ path, ...request }) =>
			handle({ ...request, path: path.replace('another-client', service.clientId) });
		changeAnswers(({ body }, { path }) => {
			if (body && path === service.tokenPath) body.clientId = 'another-client';
		});
		changeCredential(poller, { sessionToken: '', sessionClientId: '' });
		// A token counts as new for ten seconds.
		await systemClock.sleep(11_000);
		ids.push(complete());
		expect(await listIds(poller)).toEqual(ids);
	});
});

it('an expression for the start is evaluated once, when it is first seen', async () => {
	const parameters = { startFrom: 'date', startDate: '={{ $now }}' };
	service.model.clock.set(Date.now());
	complete(100);
	const poller = await activated(parameters);
	service.model.clock.move(MINUTE);
	const id = complete();
	poller.restart();
	expect(await listIds(poller)).toEqual([id]);
});

it('a saved state that cannot be read is an error with advice, in either place', async () => {
	const poller = await activated();
	const data = Object.fromEntries(Object.keys(poller.globalState).map((name) => [name, 'damaged']));
	await expect(trigger({}, { globalStaticData: data }).poll()).rejects.toThrow(
		'The saved state of the trigger cannot be read',
	);
	await expect(trigger({}, { staticData: data }).poll()).rejects.toThrow('cannot be read');
});

describe('a connector that no upload can have', () => {
	const parameters = { filters: { connectorNames: 'mossbooks, CloudBooks' } };

	it('is an error when a user tests the workflow, or publishes it for the first time', async () => {
		for (const mode of ['manual', 'trigger'] as const)
			await expect(trigger(parameters, { mode }).poll()).rejects.toThrow(
				'“mossbooks”, which is not the name of a connector',
			);
	});

	it('is compared as entered later', async () => {
		const poller = await activated();
		poller.change(parameters);
		await expectNext(poller);
		const dropped = complete(0, { connectorName: 'MossBooks' });
		expect(await listIds(poller)).toEqual([dropped]);
	});
});

describe('the trigger goes on', () => {
	it.each(modes)('when it is renamed, and renamed back, %o', async (mode) => {
		const before = await activated({}, { ...mode, nodeName: 'Before' });
		await expectNext(before);
		// In memory mode, n8n looks for the node's data under its name; in durable polling, under its ID.
		const renamed = (from: Poller, own: IDataObject, nodeName: string) => {
			const staticData = mode.durable ? from.state : own;
			const data = { staticData, globalStaticData: from.globalState };
			return trigger({}, { ...mode, ...data, nodeName });
		};
		let current = before;
		for (const [name, own] of [
			['After', {}],
			['Before', before.state],
		] as const) {
			const missed = complete();
			current = renamed(current, own, name);
			expect(await listIds(current)).toEqual([missed]);
			await expectNext(current);
		}
	});

	it('with another address of the service, and another spelling of the client ID', async () => {
		const poller = await activated();
		changeCredential(poller, { baseUrl: service.url.replace('127.0.0.1', 'localhost') });
		await expectNext(poller);
		const clientId = service.clientId.replaceAll('-', '').toUpperCase();
		changeCredential(poller, { baseUrl: `${service.url}/v1/`, clientId });
		poller.restart();
		await expectNext(poller);
		expect(await listIds(poller)).toEqual([]);
	});

	it('with another filter, which brings what completed within the look-back', async () => {
		service.model.addConnector({ name: 'ledgerpro' });
		const other = (minutes: number) => complete(minutes, { connectorName: 'ledgerpro' });
		const poller = await activated({ filters: { connectorNames: 'cloudbooks' } });
		const within = other(100);
		expect(await listIds(poller)).toEqual([]);
		poller.change({ filters: { connectorNames: 'ledgerpro' } });
		complete();
		const next = other(0);
		expect(await listIds(poller)).toEqual([within, next]);
		expect(await listIds(poller)).toEqual([]);
	});
});
