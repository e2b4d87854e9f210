import type { SimulatedService } from '../support/service/http.mts';
import {
	completeUpload,
	idsOf,
	modes,
	pollerOf,
	startSmallService,
	startUpload,
} from '../support/polls.mts';

let service: SimulatedService;

beforeEach(async () => {
	service = await startSmallService();
});
afterEach(async () => await service.close());

const start = () => startUpload(service);
const complete = (minutesAgo?: number) => completeUpload(service, minutesAgo);

describe('starting over', () => {
	it.each([
		['another start', { startFrom: 'date', startDate: '2026-06-15T09:00:00Z' }],
		['another date', { startFrom: 'date', startDate: '2026-06-15T09:10:00Z' }],
		['the beginning', { startFrom: 'beginning' }],
	])('happens with %s', async (_what, parameters) => {
		const id = complete(30);
		const poller = pollerOf(service, { startFrom: 'date', startDate: '2026-06-15T09:20:00Z' });
		expect(await idsOf(poller)).toEqual([id]);
		poller.change(parameters);
		expect(await idsOf(poller)).toEqual([id]);
	});

	it('happens when the start is changed and changed back, even in durable polling', async () => {
		complete(1);
		const poller = pollerOf(service, {}, { durable: true });
		await poller.poll();
		const id = complete();
		expect(await idsOf(poller)).toEqual([id]);
		poller.change({ startFrom: 'beginning' });
		expect(await idsOf(poller)).toHaveLength(2);
		poller.change({});
		expect(await idsOf(poller)).toEqual([]);
	});

	it('happens with another client', async () => {
		const id = complete(30);
		const poller = pollerOf(service, { startFrom: 'beginning' });
		expect(await idsOf(poller)).toEqual([id]);
		const stored = poller.credentials.stored('engagementUploadsApi');
		const handle = service.handle.bind(service);
		service.handle = (request) => {
			const path = request.path.replace('another-client', service.clientId);
			return handle({ ...request, path });
		};
		poller.credentials.save('engagementUploadsApi', { ...stored, clientId: 'another-client' });
		expect(await idsOf(poller)).toEqual([id]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it.each([false, true])(
		'does not happen with another address of the service (durable: %s)',
		async (durable) => {
			const poller = pollerOf(service, {}, { durable });
			await poller.poll();
			const stored = poller.credentials.stored('engagementUploadsApi');
			const localhost = service.url.replace('127.0.0.1', 'localhost');
			poller.credentials.save('engagementUploadsApi', { ...stored, baseUrl: localhost });
			const id = complete();
			expect(await idsOf(poller)).toEqual([id]);
			poller.credentials.save('engagementUploadsApi', { ...stored, baseUrl: `${service.url}/v1/` });
			poller.restart();
			expect(await idsOf(poller)).toEqual([]);
		},
	);

	it('happens with another event', async () => {
		const id = complete(30);
		const poller = pollerOf(service, { startFrom: 'beginning' });
		expect(await idsOf(poller)).toEqual([id]);
		poller.change({ event: 'uploadStarted', startFrom: 'beginning' });
		expect(await idsOf(poller)).toEqual([id]);
	});

	it.each([false, true])('marks existing uploads as seen again (durable: %s)', async (durable) => {
		const poller = pollerOf(service, { startFrom: 'beginning' }, { durable });
		complete(10);
		expect(await idsOf(poller)).toHaveLength(1);
		poller.change({ startFrom: 'now' });
		poller.reactivate();
		expect(await idsOf(poller)).toEqual([]);
		const id = complete();
		expect(await idsOf(poller)).toEqual([id]);
		expect(await idsOf(poller)).toEqual([]);
	});
});

describe.each(modes)('a trigger, %o', (mode) => {
	it('continues when it is renamed, and renamed back', async () => {
		const parameters = { event: 'uploadStarted' };
		const before = pollerOf(service, parameters, { ...mode, nodeName: 'Before' });
		await before.poll();
		const first = start();
		expect(await idsOf(before)).toEqual([first]);
		const data = { globalStaticData: before.globalState };
		const after = pollerOf(service, parameters, { ...mode, ...data, nodeName: 'After' });
		const second = start();
		expect(await idsOf(after)).toEqual([second]);
		const both = { staticData: before.state, globalStaticData: after.globalState };
		const again = pollerOf(service, parameters, { ...mode, ...both, nodeName: 'Before' });
		const third = start();
		expect(await idsOf(again)).toEqual([third]);
	});

	it('starts over when it is deleted and added again', async () => {
		const parameters = { event: 'uploadStarted' };
		const deleted = pollerOf(service, parameters, mode);
		await deleted.poll();
		start();
		expect(await idsOf(deleted)).toHaveLength(1);
		start();
		const data = { staticData: deleted.state, globalStaticData: deleted.globalState };
		const added = pollerOf(service, parameters, { ...mode, ...data, nodeId: 'another' });
		expect(await idsOf(added)).toEqual([]);
		const next = start();
		expect(await idsOf(added)).toEqual([next]);
	});
});
