import { forgetProcess } from '../../nodes/EngagementUploads/trigger/store.ts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { endpointCredentialOf } from '../support/credentials.mts';
import { drain, idsOf, pollerOf } from '../support/polls.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let service: SimulatedService;

beforeEach(async () => {
	service = await startService();
	service.model.setClock(Date.UTC(2026, 5, 15, 10));
	for (const name of ['cloudbooks', 'ledgerpro']) service.model.addConnector({ name });
	for (const id of [1, 2, 3]) service.model.addEngagement({ id });
});
afterEach(async () => await service.close());

type Given = Parameters<SimulatedService['model']['addCompletedUpload']>[0];

/** Adds uploads that completed this many minutes ago; returns their IDs. */
function completed(...minutesAgo: number[]): string[] {
	return minutesAgo.map((minutes) => complete({}, minutes));
}

function complete(given: Given = {}, minutesAgo = 0): string {
	const completedAt = service.model.now - minutesAgo * MINUTE;
	return service.model.addCompletedUpload({ completedAt, ...given }).uploadId;
}

/** Adds this record to every page of a list. */
function alsoLists(record: object): void {
	const handle = service.handle.bind(service);
	service.handle = (request) => {
		const outcome = handle(request);
		const { content } = (outcome.response?.body ?? {}) as { content?: object[] };
		content?.push(record);
		return outcome;
	};
}

describe('where it starts', () => {
	it('emits uploads that complete after the first poll, once each', async () => {
		completed(500, 3, 0);
		const poller = pollerOf(service);
		expect(await poller.poll()).toBeNull();
		expect(await poller.poll()).toBeNull();
		const ids = [complete(), complete()];
		expect((await idsOf(poller)).toSorted()).toEqual(ids.toSorted());
		expect(await poller.poll()).toBeNull();
	});

	it('emits the very first upload', async () => {
		const poller = pollerOf(service);
		expect(await poller.poll()).toBeNull();
		const id = complete();
		expect(await idsOf(poller)).toEqual([id]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('emits everything from the beginning, oldest first', async () => {
		const [newest, oldest, middle] = completed(1, 100_000, 50);
		const poller = pollerOf(service, { startFrom: 'beginning' });
		expect(await drain(poller)).toEqual([[oldest, middle, newest]]);
	});

	it('emits an upload with an unreadable date once', async () => {
		alsoLists({ uploadId: 'odd', engagementId: 1, completionDate: [{ toString: '' }] });
		const poller = pollerOf(service, { startFrom: 'beginning' });
		expect(await idsOf(poller)).toEqual(['odd']);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('treats the text “null” as no completion date', async () => {
		alsoLists({ uploadId: 'open', engagementId: 1, completionDate: 'null' });
		const id = complete();
		expect(await idsOf(pollerOf(service, { startFrom: 'beginning' }))).toEqual([id]);
	});

	it.each([
		['2026-06-15T08:00:00', 'UTC', [119, 60]],
		['2026-06-15T08:00:00', 'Europe/Athens', [299, 181, 119, 60]],
		['2026-06-15T09:30:00+01:00', 'America/New_York', [60]],
	])('emits from %s in %s', async (startDate, timezone, expected) => {
		const minutes = [301, 299, 181, 119, 60];
		const ids = completed(...minutes);
		const poller = pollerOf(service, { startFrom: 'date', startDate }, { timezone });
		const due = expected.map((minutesAgo) => ids[minutes.indexOf(minutesAgo)]);
		expect(await idsOf(poller)).toEqual(due);
	});

	it('reads a local time of the service in the zone of the credential', async () => {
		service.settings.printZone = 'America/New_York';
		const [, after] = completed(61, 59);
		const credential = { ...credentialWith('America/New_York') };
		const startDate = '2026-06-15T09:00:00Z';
		const poller = pollerOf(service, { startFrom: 'date', startDate }, { credential });
		expect(await idsOf(poller)).toEqual([after]);
	});

	it('evaluates an expression once, when it is first seen', async () => {
		const parameters = { startFrom: 'date', startDate: '={{ $now }}' };
		service.model.setClock(Date.now());
		completed(100);
		const poller = pollerOf(service, parameters);
		expect(await idsOf(poller)).toEqual([]);
		service.model.moveClock(60_000);
		const id = complete();
		poller.restart();
		expect(await idsOf(poller)).toEqual([id]);
	});

	it('does not start over with an expression whose value keeps changing', async () => {
		const parameters = { startFrom: 'date', startDate: '={{ $now.minus(3, "hours") }}' };
		service.model.setClock(Date.now());
		const [id] = completed(100);
		const poller = pollerOf(service, parameters);
		expect(await idsOf(poller)).toEqual([id]);
		expect(await idsOf(poller)).toEqual([]);
	});
});

function credentialWith(timeZone: string) {
	const { url, clientId, subscriptionKey, accessToken } = service;
	return {
		...{ baseUrl: url, clientId, subscriptionApiKey: subscriptionKey },
		...{ authentication: 'accessToken', accessToken, timeZone },
	};
}

describe('starting over', () => {
	it.each([
		['another start', { startFrom: 'date', startDate: '2026-06-15T09:00:00Z' }],
		['another date', { startFrom: 'date', startDate: '2026-06-15T09:10:00Z' }],
		['the beginning', { startFrom: 'beginning' }],
	])('happens with %s', async (_what, parameters) => {
		const [id] = completed(30);
		const poller = pollerOf(service, { startFrom: 'date', startDate: '2026-06-15T09:20:00Z' });
		expect(await idsOf(poller)).toEqual([id]);
		poller.change(parameters);
		expect(await idsOf(poller)).toEqual([id]);
	});

	it('happens when the start is changed and changed back, even in durable polling', async () => {
		complete({}, 1);
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
		const [id] = completed(30);
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
		const [id] = completed(30);
		const poller = pollerOf(service, { startFrom: 'beginning' });
		expect(await idsOf(poller)).toEqual([id]);
		poller.change({ event: 'uploadStarted', startFrom: 'beginning' });
		expect(await idsOf(poller)).toEqual([id]);
	});

	it.each([false, true])('marks existing uploads as seen again (durable: %s)', async (durable) => {
		const poller = pollerOf(service, { startFrom: 'beginning' }, { durable });
		completed(10);
		expect(await idsOf(poller)).toHaveLength(1);
		poller.change({ startFrom: 'now' });
		poller.reactivate();
		expect(await idsOf(poller)).toEqual([]);
		const id = complete();
		expect(await idsOf(poller)).toEqual([id]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it.each([false, true])(
		'does not happen when the workflow is switched off and on (durable: %s)',
		async (durable) => {
			const poller = pollerOf(service, {}, { durable });
			await poller.poll();
			const first = complete();
			poller.reactivate();
			expect(await idsOf(poller)).toEqual([first]);
			poller.reactivate();
			service.model.moveClock(HOUR);
			const second = complete();
			expect(await idsOf(poller)).toEqual([second]);
		},
	);
});

describe('filters', () => {
	it.each([
		[{ engagementIds: '1, 3' }, [0, 2]],
		[{ engagementIds: [2] }, [1]],
		[{ connectorNames: 'LedgerPro' }, [1, 2]],
		[{ uploadStatuses: 'failed' }, [2]],
		[{ uploadTypes: 'full', connectorNames: 'cloudbooks' }, [0]],
		[{ uploadStatuses: 'ABORTED' }, []],
		[{ connectorNames: '' }, [0, 1, 2]],
	])('%j', async (filters, expected) => {
		const ids = [
			complete({ engagementId: 1, connectorName: 'cloudbooks' }, 3),
			complete({ engagementId: 2, connectorName: 'ledgerpro' }, 2),
			complete({ engagementId: 3, connectorName: 'ledgerpro', status: 'FAILED' }, 1),
		];
		const poller = pollerOf(service, { startFrom: 'beginning', filters });
		expect(await idsOf(poller)).toEqual(expected.map((index) => ids[index]));
	});

	it('when changed, neither replay what the old ones left out nor lose what completes then', async () => {
		const poller = pollerOf(service, { filters: { connectorNames: 'cloudbooks' } });
		await poller.poll();
		complete({ connectorName: 'ledgerpro' });
		const taken = complete({ connectorName: 'cloudbooks' });
		expect(await idsOf(poller)).toEqual([taken]);
		poller.change({ filters: { connectorNames: 'ledgerpro' } });
		complete({ connectorName: 'cloudbooks' });
		const next = complete({ connectorName: 'ledgerpro' });
		expect(await idsOf(poller)).toEqual([next]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('when changed, do not replay what was left out since n8n last saved the state', async () => {
		const poller = pollerOf(service, { filters: { connectorNames: 'cloudbooks' } });
		await poller.poll();
		for (let poll = 0; poll < 3; poll++) {
			complete({ connectorName: 'ledgerpro' });
			expect(await idsOf(poller)).toEqual([]);
			service.model.moveClock(HOUR);
		}
		poller.change({ filters: { connectorNames: 'ledgerpro' } });
		const next = complete({ connectorName: 'ledgerpro' });
		expect(await idsOf(poller)).toEqual([next]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('when changed during a restart of n8n, do not replay either', async () => {
		const poller = pollerOf(service, { filters: { connectorNames: 'cloudbooks' } });
		await poller.poll();
		complete({ connectorName: 'ledgerpro' });
		expect(await idsOf(poller)).toEqual([]);
		forgetProcess();
		poller.change({ filters: { connectorNames: 'ledgerpro' } });
		expect(await idsOf(poller)).toEqual([]);
		service.model.moveClock(MINUTE);
		const next = complete({ connectorName: 'ledgerpro' });
		expect(await idsOf(poller)).toEqual([next]);
	});

	it('emit an upload whose status changes within the look-back', async () => {
		const poller = pollerOf(service, { filters: { uploadStatuses: 'COMPLETED' } });
		await poller.poll();
		const id = complete({ status: 'PROCESSING' });
		expect(await idsOf(poller)).toEqual([]);
		service.model.updateUpload(id, { status: 'COMPLETED' });
		expect(await idsOf(poller)).toEqual([id]);
	});
});

it('fetches a token before it knows the client ID, and uses the returned one', async () => {
	const [id] = completed(5);
	const credential = endpointCredentialOf(service);
	const poller = pollerOf(service, { startFrom: 'beginning' }, { credential });
	expect(await idsOf(poller)).toEqual([id]);
	expect(service.requests[0]).toMatchObject({ method: 'POST', path: '/v1/oauth/token' });
	expect(await idsOf(poller)).toEqual([]);
});
