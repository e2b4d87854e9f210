import { searchList } from '../support/engine/lookups.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings } from '../support/service/settings.mts';
import { credentialOf, CREDENTIAL } from '../support/credentials.mts';
import { linesOf } from '../support/runs.mts';

/** More than one search scans when pages are small. */
const ENGAGEMENTS = 1250;
let service: SimulatedService;

beforeAll(async () => {
	service = await startService();
	const { model } = service;
	model.addConnector({ id: '1', name: 'quill', title: 'Quill Cloud' });
	model.addConnector({ id: '2', name: 'desk', title: 'Desk Ledger', type: '1' });
	model.addConnector({ id: '3', name: 'alder', title: 'alder' });
	for (let id = 1; id <= ENGAGEMENTS; id += 1) {
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
	return await searchList({ credentials, method, filter, paginationToken });
}

const client = () => `/v1/clients/${service.clientId}`;

describe('the list of engagements', () => {
	it('comes page by page', async () => {
		const first = await search('searchEngagements');
		expect(first.results[0]).toEqual({ name: 'Farm 1 (CRM-1)', value: '1' });
		expect(first.results).toHaveLength(100);
		const second = await search('searchEngagements', '', first.paginationToken);
		expect(second.results[0]?.value).toBe('101');

		const last = await search('searchEngagements', '', '12 1200 1101');
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

	it.each(['1008', ' 1249 ', '1', '1250'])(
		'finds the ID %j, even of an engagement with an external ID',
		async (id) => {
			const { results } = await search('searchEngagements', id);
			const value = id.trim();
			expect(results[0]).toEqual({ name: expect.stringContaining(`(CRM-${value})`), value });
			expect(new Set(results.map((entry) => entry.value)).size).toBe(results.length);
		},
	);

	it.each([{ rejectOrderBy: true }, { honourOrderBy: false }])(
		'finds an ID by reading further pages if the service does not sort: %j',
		async (settings) => {
			Object.assign(service.settings, settings);
			try {
				const { results } = await search('searchEngagements', '1249');
				expect(results).toEqual([{ name: 'Farm 1249 (CRM-1249)', value: '1249' }]);
			} finally {
				Object.assign(service.settings, defaultSettings());
			}
		},
	);

	it('finds names by a part, in any case, in all pages', async () => {
		const { results, paginationToken } = await search('searchEngagements', ' bAkery ');
		expect(results.map(({ value }) => value)).toEqual(
			Array.from({ length: 13 }, (_, index) => String(index * 100 + 7)),
		);
		expect(paginationToken).toBeUndefined();
	});

	it('says that only some engagements were searched, and continues from there', async () => {
		service.settings.maxPageSize = 5;
		const first = await search('searchEngagements', 'bakery');
		expect(first.results.map(({ value }) => value)).toEqual(['7', '107', '207', '307', '407', '']);
		expect(first.results.at(-1)?.name).toBe(
			'Searched 500 engagements so far. Scroll down for more.',
		);
		const second = await search('searchEngagements', 'bakery', first.paginationToken);
		expect(second.results.at(-1)?.name).toContain('Searched 1000 engagements');
		const third = await search('searchEngagements', 'bakery', second.paginationToken);
		expect(third.results.map(({ value }) => value)).toEqual(['1007', '1107', '1207']);
		expect(third.paginationToken).toBeUndefined();
	});

	it('finds an ID far beyond the pages searched for names', async () => {
		service.settings.maxPageSize = 5;
		const { results } = await search('searchEngagements', '1249');
		expect(results[0]).toEqual({ name: 'Farm 1249 (CRM-1249)', value: '1249' });
		expect(service.requests.length).toBeLessThan(120);
	});

	it('shows as many entries as fit into a list, then waits until more are requested', async () => {
		const first = await search('searchEngagements', 'farm');
		expect(first.results.length).toBeLessThan(1000);
		const second = await search('searchEngagements', 'farm', first.paginationToken);
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values.filter((value) => value !== '')).size).toBe(
			values.filter((value) => value !== '').length,
		);
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

it('report failures', async () => {
	service.fail({}, { kind: 'status', status: 403, body: { message: 'Not for you' } });
	await expect(search('searchConnectors')).rejects.toThrow(
		'Could not get the connectors: the service denied access (403). The service said: “Not for you”',
	);
});
