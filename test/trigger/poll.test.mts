import type { SimulatedService } from '../support/service/http.mts';
import { credentialOf, endpointCredentialOf } from '../support/credentials.mts';
import { completeUpload, drain, idsOf, pollerOf, startSmallService } from '../support/polls.mts';

let service: SimulatedService;

beforeEach(async () => {
	service = await startSmallService();
});
afterEach(async () => await service.close());

const complete = (minutesAgo?: number) => completeUpload(service, minutesAgo);

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
		[500, 3, 0].map(complete);
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
		const [newest, oldest, middle] = [1, 100_000, 50].map(complete);
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
		const ids = minutes.map(complete);
		const poller = pollerOf(service, { startFrom: 'date', startDate }, { timezone });
		const due = expected.map((minutesAgo) => ids[minutes.indexOf(minutesAgo)]);
		expect(await idsOf(poller)).toEqual(due);
	});

	it('reads a local time of the service in the zone of the credential', async () => {
		service.settings.printZone = 'America/New_York';
		const [, after] = [61, 59].map(complete);
		const credential = credentialOf(service, { timeZone: 'America/New_York' });
		const startDate = '2026-06-15T09:00:00Z';
		const poller = pollerOf(service, { startFrom: 'date', startDate }, { credential });
		expect(await idsOf(poller)).toEqual([after]);
	});

	it('evaluates an expression once, when it is first seen', async () => {
		const parameters = { startFrom: 'date', startDate: '={{ $now }}' };
		service.model.setClock(Date.now());
		complete(100);
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
		const id = complete(100);
		const poller = pollerOf(service, parameters);
		expect(await idsOf(poller)).toEqual([id]);
		expect(await idsOf(poller)).toEqual([]);
	});
});

it('fetches a token before it knows the client ID, and uses the returned one', async () => {
	const id = complete(5);
	const credential = endpointCredentialOf(service);
	const poller = pollerOf(service, { startFrom: 'beginning' }, { credential });
	expect(await idsOf(poller)).toEqual([id]);
	expect(service.requests[0]).toMatchObject({ method: 'POST', path: '/v1/oauth/token' });
	expect(await idsOf(poller)).toEqual([]);
});
