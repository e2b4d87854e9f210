/** Each setting changes the form of a list: the nodes' tests of all forms rely on it. */
import { Service } from './service.mts';
import type { DateForm, Settings } from './settings.mts';

const TIME = Date.UTC(2026, 2, 1, 10, 15, 30, 100);

/** A service with uploads that completed at intervals of a second. */
function serviceWith(settings: Partial<Settings>): Service {
	const service = new Service({ settings });
	service.model.setClock(TIME);
	for (let index = 0; index < 5; index += 1)
		service.model.addCompletedUpload({ completedAt: TIME + index * 1000 });
	return service;
}

const uploads = (service: Service, query = ''): unknown =>
	service.ask('GET', `/v1/clients/${service.clientId}/uploads${query}`).body;

describe('the second page of three', () => {
	const record = expect.objectContaining({ engagementId: 1, uploadStatus: 'COMPLETED' });
	const two = [record, record];
	const [totals, none] = [{ totalPages: 3, totalElements: 5, size: 2 }, 'none' as const];
	const spring = { ...totals, last: false, first: false, numberOfElements: 2, number: 1 };
	const order = { direction: 'DESC', property: 'completionDate', ignoreCase: false };
	const sort = { ...order, nullHandling: 'NATIVE', ascending: false, descending: true };

	it.each<[Partial<Settings>, unknown]>([
		[{ pageFields: none }, { content: two }],
		[{ pageFields: none, wrapper: 'data' }, { data: two }],
		[{ pageFields: none, wrapper: 'items' }, { items: two }],
		[{ pageFields: none, wrapper: 'named' }, { uploads: two }],
		[{ pageFields: none, wrapper: 'embedded' }, { _embedded: { uploads: two } }],
		[{ wrapper: 'array' }, two],
		[{ wrapper: 'dataContent', pageFields: 'lastOnly' }, { data: { content: two, last: false } }],
		[{ pageFields: 'lastOnly' }, { content: two, last: false }],
		[{ pageFields: 'totalPagesAndNumber' }, { content: two, totalPages: 3, number: 1 }],
		[{ pageFields: 'sizeOnly' }, { content: two, size: 2 }],
		[{ pageFields: 'nestedPage' }, { content: two, page: { ...totals, number: 1 } }],
		[{}, { content: two, ...spring, ...sort }],
		[{ sortForm: 'list' }, { content: two, ...spring, sort: [sort] }],
		[
			{ sortForm: 'object' },
			{ content: two, ...spring, sort: { sorted: true, unsorted: false, empty: false } },
		],
	])('with %j', (settings, body) => {
		const query = '?page=1&size=2&orderBy=-completionDate';
		expect(uploads(serviceWith(settings), query)).toEqual(body);
	});
});

describe('dates', () => {
	it.each<[DateForm, string, string | number]>([
		['plain', 'Europe/Berlin', '2026-03-01T11:15:30'],
		['millisZ', 'Europe/Berlin', '2026-03-01T10:15:30.100Z'],
		['offset', 'America/New_York', '2026-03-01T05:15:30-0500'],
		['shortFraction', 'Europe/Berlin', '2026-03-01T11:15:30.1+01:00'],
		['epoch', 'UTC', TIME],
	])('%s in %s', (dateForm, printZone, completionDate) => {
		expect(uploads(serviceWith({ dateForm, printZone }), '?size=1')).toMatchObject({
			content: [{ completionDate }],
		});
	});

	it('are filtered in the zone of the records or in another, with or without their own second', () => {
		const service = serviceWith({ printZone: 'Europe/Berlin' });
		const count = (from: string) => {
			const { totalElements } = Object(uploads(service, `?completedDateFrom=2026-03-01T${from}`));
			return totalElements as unknown;
		};
		service.model.addCompletedUpload({ completedAt: Date.UTC(2026, 2, 1, 10, 15, 40) });
		expect(['11:15:32', '11:15:40', '10:15:32'].map(count)).toEqual([4, 0, 6]);
		Object.assign(service.settings, { filterZone: 'UTC', fromInclusive: true });
		expect(['11:15:32', '10:15:40', '10:15:32'].map(count)).toEqual([0, 1, 4]);
	});
});
