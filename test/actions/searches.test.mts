import { searchList } from '../support/engine/lookups.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings } from '../support/service/settings.mts';
import { credentialOf, CREDENTIAL, linesOf, types } from '../support/runs.mts';

let service: SimulatedService;

beforeAll(async () => {
	service = await startService();
	const { model } = service;
	model.addConnector({ id: '1', name: 'quill', title: 'Quill Cloud' });
	model.addConnector({ id: '2', name: 'desk', title: 'Desk Ledger', type: '1' });
	model.addConnector({ id: '3', name: 'alder', title: 'alder' });
	for (let id = 1; id <= 1250; id += 1) {
		const name = id % 100 === 7 ? `Bakery ${id}` : `Farm ${id}`;
		model.addEngagement({ id, externalEngagementId: `CRM-${id}`, name });
	}
});

beforeEach(() => {
	service.settings.maxPageSize = 1000;
});

afterAll(async () => await service.close());

async function search(method: string, filter?: string, paginationToken?: string) {
	service.clearRequests();
	const credentials = { [CREDENTIAL]: credentialOf(service) };
	return await searchList({ types, credentials, method, filter, paginationToken });
}

const client = () => `/v1/clients/${service.clientId}`;

describe('the list of engagements', () => {
	it('comes page by page', async () => {
		const first = await search('searchEngagements');
		expect(first.results[0]).toEqual({ name: 'Farm 1 (CRM-1)', value: '1' });
		expect(first.results).toHaveLength(100);
		const second = await search('searchEngagements', '', first.paginationToken);
		expect(second.results[0]?.value).toBe('101');

		const last = await search('searchEngagements', '', '12 1101');
		expect(last.results.map(({ value }) => value)).toEqual(
			Array.from({ length: 50 }, (_, index) => String(1201 + index)),
		);
		expect(last.paginationToken).toBeUndefined();
		expect(linesOf(service)).toEqual([`GET ${client()}/engagements?page=12&size=100`]);
	});

	it('ends even if the service repeats its last page forever', async () => {
		Object.assign(service.settings, { wrapper: 'array', pageFields: 'none', repeatLastPage: true });
		try {
			let token: string | undefined;
			const values: string[] = [];
			for (let pages = 0; pages < 20; pages += 1) {
				const page = await search('searchEngagements', '', token);
				values.push(...page.results.map(({ value }) => String(value)));
				token = page.paginationToken;
				if (token === undefined) break;
			}
			expect(token).toBeUndefined();
			expect(values).toEqual(Array.from({ length: 1250 }, (_, index) => String(index + 1)));
		} finally {
			Object.assign(service.settings, defaultSettings());
		}
	});

	it('finds an exact external ID anywhere in the list', async () => {
		const { results } = await search('searchEngagements', 'CRM-1249');
		expect(results).toEqual([{ name: 'Farm 1249 (CRM-1249)', value: '1249' }]);
	});

	it('finds names by a part, in any case, within the first ten pages', async () => {
		const { results } = await search('searchEngagements', ' bAkery ');
		expect(results.map(({ value }) => value)).toEqual(
			Array.from({ length: 10 }, (_, index) => String(index * 100 + 7)),
		);
		const pages = service.requests.filter(({ query }) => query.externalEngagementId === undefined);
		expect(pages).toHaveLength(10);
	});

	it('reads no more than ten pages if the service sends small ones', async () => {
		service.settings.maxPageSize = 20;
		const { results } = await search('searchEngagements', 'bakery');
		expect(results.map(({ value }) => value)).toEqual(['7', '107']);
		const pages = service.requests.filter(({ query }) => query.externalEngagementId === undefined);
		expect(pages).toHaveLength(10);
	});

	it('shows an engagement once if both external ID and name match', async () => {
		service.model.updateEngagement(8, { name: 'CRM-9 and sons' });
		const { results } = await search('searchEngagements', 'CRM-9');
		expect(results.map(({ value }) => value).slice(0, 2)).toEqual(['9', '8']);
		expect(new Set(results.map(({ value }) => value)).size).toBe(results.length);
	});
});

describe('the lists of connectors', () => {
	it('hold all connectors, sorted by title', async () => {
		const { results } = await search('searchConnectors');
		expect(results).toEqual([
			{ name: 'alder', value: 'alder' },
			{ name: 'Desk Ledger (desk)', value: 'desk' },
			{ name: 'Quill Cloud (quill)', value: 'quill' },
		]);
	});

	it('are searched by title and name', async () => {
		const values = async (filter: string) =>
			(await search('searchConnectors', filter)).results.map(({ value }) => value);
		expect(await values('LEDGER')).toEqual(['desk']);
		expect(await values('quil')).toEqual(['quill']);
		expect(await values('nothing')).toEqual([]);
	});

	it('hold only refreshable connectors for a data refresh', async () => {
		const { results } = await search('searchRefreshableConnectors');
		expect(results.map(({ value }) => value)).toEqual(['alder', 'quill']);
	});
});

it('report what went wrong', async () => {
	service.fail({}, { kind: 'status', status: 403, body: { message: 'Not for you' } });
	await expect(search('searchConnectors')).rejects.toThrow(
		'Could not get the connectors: the service denied access (403). It said: “Not for you”',
	);
});
