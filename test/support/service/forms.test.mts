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

describe('pages', () => {
	it('have the default size, and never more than the maximum', () => {
		expect(places(serviceWith({ defaultPageSize: 2 }))).toEqual([0, 1]);
		const capped = serviceWith({ maxPageSize: 3 });
		expect(places(capped, '?size=100')).toEqual([0, 1, 2]);
		expect(uploads(capped, '?size=100')).toMatchObject({ size: 3, totalPages: 2 });
	});

	it('beyond the end are empty, or repeat the last page', () => {
		const service = serviceWith({});
		expect(uploads(service, '?page=9&size=2')).toMatchObject({ content: [], last: true });
		service.settings.repeatLastPage = true;
		expect(places(service, '?page=9&size=2')).toEqual([4]);
	});

	it('never say last if the settings say so', () => {
		expect(uploads(serviceWith({ neverLast: true }))).toMatchObject({ last: false });
	});
});

describe('order without orderBy', () => {
	it('is by creation, or newest first', () => {
		expect(places(serviceWith({}))).toEqual([0, 1, 2, 3, 4]);
		expect(places(serviceWith({ unsortedDefault: 'newestFirst' }))).toEqual([4, 3, 2, 1, 0]);
	});

	it('shuffled, is the same for every page until the seed changes', () => {
		const service = serviceWith({ unsortedDefault: 'shuffled' }, 30);
		const all = places(service, '?size=30');
		const pages = [0, 1, 2].flatMap((page) => places(service, `?size=10&page=${page}`));
		expect(pages).toEqual(all);
		expect(all.toSorted((a, b) => a - b)).not.toEqual(all);
		service.settings.shuffleSeed = 2;
		expect(places(service, '?size=30')).not.toEqual(all);
	});

	it('with it, absent values come first or last, according to the settings', () => {
		const service = serviceWith({}, 2);
		service.settings.uploadDurationMs = Infinity;
		service.model.startUpload(1, 'connector-1');
		expect(places(service, '?orderBy=-completionDate')).toEqual([1, 0, 2]);
		service.settings.absentSorts = 'high';
		expect(places(service, '?orderBy=-completionDate')).toEqual([2, 1, 0]);
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

describe('the clock', () => {
	it('is in the Date header, including its skew', () => {
		const service = serviceWith({ clockSkewMs: 3_600_000 });
		const headers = () => service.ask('GET', `/v1/clients/${service.clientId}/users`).headers;
		expect(headers()).toMatchObject({ date: 'Sun, 01 Mar 2026 11:15:30 GMT' });
		service.settings.dateHeader = false;
		expect(headers()).not.toHaveProperty('date');
	});

	it('runs until it is set', () => {
		const { model } = new Service();
		expect(Math.abs(model.now - Date.now())).toBeLessThan(1000);
		model.moveClock(-86_400_000);
		expect(Math.abs(model.now - Date.now() + 86_400_000)).toBeLessThan(1000);
		model.setClock(5);
		model.moveClock(2);
		expect(model.now).toBe(7);
	});
});

describe('a list with many pages', () => {
	it('is sorted once', () => {
		const service = serviceWith({}, 0);
		const { model, clientId } = service;
		const count = 1000;
		for (let id = 1; id <= count; id += 1) model.addEngagement({ id });
		for (let id = 1; id <= count; id += 1) {
			// Uses a stride, so that creation order differs from completion order.
			const completedAt = TIME + ((id * 7919) % count) * 1000;
			model.addCompletedUpload({ engagementId: id, completedAt });
		}
		const page = (number: number) =>
			service.ask(
				'GET',
				`/v1/clients/${clientId}/uploads?size=100&page=${number}&orderBy=completionDate`,
			);
		page(0);
		const sort = jest.spyOn(Array.prototype, 'sort');
		for (let number = 0; number < 10; number += 1) {
			expect(page(number).body).toMatchObject({ totalElements: count, content: { length: 100 } });
		}
		const lengths = sort.mock.contexts.map((list) => (list as unknown[]).length);
		sort.mockRestore();
		expect(lengths).not.toContain(count);
	});
});
