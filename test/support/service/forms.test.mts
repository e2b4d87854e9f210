import { Service } from './service.mts';
import type { DateForm, PageFields, Settings, Wrapper } from './settings.mts';

const TIME = Date.UTC(2026, 2, 1, 10, 15, 30, 100);

function serviceWith(settings: Partial<Settings>, uploads = 5): Service {
	const service = new Service({ settings });
	service.model.setClock(TIME);
	for (let index = 0; index < uploads; index += 1) {
		service.model.addCompletedUpload({ completedAt: TIME + index * 1000 });
	}
	return service;
}

function uploads(service: Service, query = ''): unknown {
	return service.ask('GET', `/v1/clients/${service.clientId}/uploads${query}`).body;
}

/** The IDs in a list, as numbers in creation order. */
function places(service: Service, query = ''): number[] {
	const records: Array<{ uploadId: string }> = Object(uploads(service, query)).content;
	return records.map(({ uploadId }) => service.model.uploads.get(uploadId)?.sequence ?? -1);
}

describe('where the records are', () => {
	const record = expect.objectContaining({ engagementId: 1, uploadStatus: 'COMPLETED' });
	const two = [record, record];

	it.each<[Wrapper, unknown]>([
		['content', { content: two }],
		['array', two],
		['data', { data: two }],
		['items', { items: two }],
		['named', { uploads: two }],
		['embedded', { _embedded: { uploads: two } }],
		['dataContent', { data: { content: two } }],
	])('%s', (wrapper, body) => {
		expect(uploads(serviceWith({ wrapper, pageFields: 'none' }, 2))).toEqual(body);
	});

	it('a single record comes without a list if the settings say so', () => {
		const service = serviceWith({ singleRecordAsObject: true }, 1);
		expect(uploads(service)).toEqual(record);
		service.model.addCompletedUpload();
		expect(uploads(service)).toMatchObject({ content: two });
	});
});

describe('page fields', () => {
	const spring = { totalPages: 3, totalElements: 5, size: 2 };

	it.each<[PageFields, object]>([
		['spring', { ...spring, last: false, first: false, numberOfElements: 2, number: 1 }],
		['lastOnly', { last: false }],
		['totalPagesAndNumber', { totalPages: 3, number: 1 }],
		['sizeOnly', { size: 2 }],
		['none', {}],
		['nestedPage', { page: { size: 2, number: 1, totalElements: 5, totalPages: 3 } }],
	])('%s', (pageFields, fields) => {
		const body = uploads(serviceWith({ pageFields }), '?page=1&size=2');
		expect(body).toEqual({ content: [expect.anything(), expect.anything()], ...fields });
	});

	it('are next to the records if both are inside data', () => {
		const body = uploads(serviceWith({ wrapper: 'dataContent', pageFields: 'lastOnly' }));
		expect(body).toEqual({ data: { content: expect.any(Array), last: true } });
	});

	it.each<[Settings['sortForm'], object]>([
		['string', { direction: 'DESC', property: 'completionDate', descending: true }],
		['object', { sort: { sorted: true, unsorted: false, empty: false } }],
		['list', { sort: [{ direction: 'DESC', property: 'completionDate' }, { direction: 'ASC' }] }],
	])('sort as %s', (sortForm, fields) => {
		const service = serviceWith({ sortForm });
		expect(uploads(service, '?orderBy=-completionDate,uploadId')).toMatchObject(fields);
	});

	it('engagements have the direction under sort', () => {
		const service = serviceWith({});
		const url = `/v1/clients/${service.clientId}/engagements?orderBy=-name`;
		expect(service.ask('GET', url).body).toMatchObject({ sort: 'DESC' });
	});

	it('lists without page parameters have them only if the settings say so', () => {
		const service = serviceWith({ defaultPageSize: 1 });
		service.model.addUser();
		service.model.addUser();
		const users = (query: string) =>
			service.ask('GET', `/v1/clients/${service.clientId}/users${query}`);
		expect(users('').body).toEqual({ content: [expect.anything(), expect.anything()] });
		service.settings.pageFieldsOnUnpaged = true;
		expect(users('').body).toMatchObject({ content: [{ id: 1 }], last: false });
		expect(users('?page=1').body).toMatchObject({ content: [{ id: 2 }], last: true });
	});
});

describe('dates', () => {
	it.each<[DateForm, string, string | number]>([
		['plain', 'UTC', '2026-03-01T10:15:30'],
		['plain', 'Europe/Berlin', '2026-03-01T11:15:30'],
		['millisZ', 'Europe/Berlin', '2026-03-01T10:15:30.100Z'],
		['offset', 'UTC', '2026-03-01T10:15:30+0000'],
		['offset', 'America/New_York', '2026-03-01T05:15:30-0500'],
		['shortFraction', 'Europe/Berlin', '2026-03-01T11:15:30.1+01:00'],
		['epoch', 'UTC', TIME],
	])('%s in %s', (dateForm, printZone, completionDate) => {
		expect(uploads(serviceWith({ dateForm, printZone }, 1))).toMatchObject({
			content: [{ completionDate }],
		});
	});

	it('follow summer time', () => {
		const service = serviceWith({ printZone: 'Europe/London' }, 0);
		service.model.addCompletedUpload({ completedAt: Date.UTC(2026, 2, 29, 0, 59, 59) });
		service.model.addCompletedUpload({ completedAt: Date.UTC(2026, 2, 29, 1) });
		const content = ['2026-03-29T00:59:59', '2026-03-29T02:00:00'];
		expect(uploads(service)).toMatchObject({
			content: content.map((completionDate) => ({ completionDate })),
		});
	});

	it('are filtered in the zone of the records, or in another', () => {
		const service = serviceWith({ printZone: 'Europe/Berlin' });
		const query = '?completedDateFrom=2026-03-01T11:15:32';
		expect(places(service, query)).toEqual([2, 3, 4]);
		service.settings.filterZone = 'UTC';
		expect(places(service, query)).toEqual([]);
		expect(places(service, '?completedDateFrom=2026-03-01T10:15:32')).toEqual([2, 3, 4]);
	});

	it('include their own second, according to the settings', () => {
		const service = serviceWith({}, 0);
		for (const second of [1, 2, 3]) {
			service.model.addCompletedUpload({ completedAt: Date.UTC(2026, 2, 1, 10, 0, second) });
		}
		const [from, to] = ['completedDateFrom', 'completedDateTo'].map(
			(name) => `?${name}=2026-03-01T10:00:02`,
		);
		expect([places(service, from), places(service, to)]).toEqual([[2], [0, 1]]);
		Object.assign(service.settings, { fromInclusive: true, toInclusive: false });
		expect([places(service, from), places(service, to)]).toEqual([[1, 2], [0]]);
	});
});
