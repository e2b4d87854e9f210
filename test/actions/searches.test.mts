import { linesOf } from '../support/runs.mts';
import { ENGAGEMENTS, search, service } from './searching.mts';

const client = () => `/v1/clients/${service.clientId}`;

describe('the list of engagements', () => {
	/** All chunks that the editor gets by scrolling. */
	async function scrolled(filter = ''): Promise<string[][]> {
		const chunks: string[][] = [];
		let token: string | undefined;
		do {
			const chunk = await search('searchEngagements', filter, token);
			chunks.push(chunk.results.map(({ name }) => name));
			token = chunk.paginationToken;
		} while (token !== undefined && chunks.length < 30);
		return chunks;
	}

	const inOrder = (entries: string[]) =>
		entries.toSorted(new Intl.Collator('en', { numeric: true }).compare);

	it('comes page by page, sorted by name', async () => {
		const first = await search('searchEngagements');
		expect(linesOf(service)).toEqual([
			`GET ${client()}/engagements?orderBy=name,Id&page=0&size=100`,
		]);
		expect(first.results[0]).toEqual({ name: 'Bakery 7 (CRM-7)', value: '7' });
		const chunks = await scrolled();
		expect(chunks.map(({ length }) => length)).toEqual([...Array<number>(12).fill(100), 50]);
		expect(chunks).toEqual(chunks.map(inOrder));
		expect(new Set(chunks.flat()).size).toBe(ENGAGEMENTS);
		expect(chunks[0]?.filter((name) => name.startsWith('Bakery'))).toHaveLength(13);
	});

	const cannotSort = (status: number) => () =>
		service.fail({ query: { orderBy: /./ } }, { kind: 'status', status }, { times: Infinity });
	const ignoresSort = () => (service.settings.honourOrderBy = false);

	it.each<[string, () => unknown]>([
		['rejects the field', cannotSort(400)],
		['fails on the field', cannotSort(500)],
		['ignores it', ignoresSort],
	])(
		'is complete, and each page sorted, if the service does not sort, but %s',
		async (_, prepare) => {
			prepare();
			const chunks = await scrolled();
			expect(new Set(chunks.flat()).size).toBe(ENGAGEMENTS);
			expect(chunks).toEqual(chunks.map(inOrder));
			const bakeries = await scrolled('bakery');
			expect(bakeries.flat()).toHaveLength(13);
			// Only the first request is sent again.
			expect(service.requests.length).toBeLessThanOrEqual(15);
			await search('searchEngagements');
			expect(service.requests.length).toBeLessThanOrEqual(2);
		},
	);

	it('ends even if the service repeats its last page forever', async () => {
		Object.assign(service.settings, { wrapper: 'array', pageFields: 'none', repeatLastPage: true });
		const chunks = await scrolled();
		expect(chunks.length).toBeLessThan(20);
		expect(new Set(chunks.flat()).size).toBe(ENGAGEMENTS);
		expect(chunks.flat()).toHaveLength(ENGAGEMENTS);
	});

	it.each(['99999', ' 1249 ', '1'])('offers the whole number %j as an ID', async (entered) => {
		const { results } = await search('searchEngagements', entered);
		const value = entered.trim();
		expect(results[0]).toEqual({ name: expect.stringMatching(`(ID |CRM-)${value}`), value });
		expect(new Set(results.map((entry) => entry.value)).size).toBe(results.length);
		// The lookup by external ID, and the pages that are searched for the text.
		expect(service.requests.length).toBeLessThanOrEqual(14);
	});

	it.each(['0', '12.5', '-3', '1'.repeat(16)])('does not offer %j as an ID', async (entered) => {
		const { results } = await search('searchEngagements', entered);
		expect(results.map(({ value }) => value)).not.toContain(entered);
	});

	it('finds names by a part, in any case, in all pages', async () => {
		const { results, paginationToken } = await search('searchEngagements', ' bAkery ');
		const ids = Array.from({ length: 13 }, (_, index) => String(index * 100 + 7));
		expect(results.map(({ value }) => value)).toEqual(ids);
		expect(paginationToken).toBeUndefined();
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

	it.each(['NFC', 'NFD'])('finds accented letters that were typed in %s', async (form) => {
		service.model.updateEngagement(9, { name: 'Zoë’s Farm'.normalize('NFD') });
		service.model.updateEngagement(10, { name: 'Zoë’s Field'.normalize('NFC') });
		const { results } = await search('searchEngagements', 'zoë'.normalize(form));
		expect(results.map(({ value }) => value).sort()).toEqual(['10', '9']);
	});

	it('shows an engagement once if both external ID and name match', async () => {
		service.model.updateEngagement(8, { name: 'A neighbour of CRM-1249' });
		const { results } = await search('searchEngagements', 'CRM-1249');
		expect(results.map(({ value }) => value)).toEqual(['1249', '8']);
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

it('find engagements by name where the service rejects that text as an external ID', async () => {
	const query = { externalEngagementId: 'bakery 107' };
	service.fail({ query }, { kind: 'status', status: 400 });
	const { results } = await search('searchEngagements', 'bakery 107');
	expect(results).toEqual([{ name: 'Bakery 107 (CRM-107)', value: '107' }]);
});

it('report failures', async () => {
	service.fail({}, { kind: 'status', status: 403, body: { message: 'Not for you' } });
	await expect(search('searchConnectors')).rejects.toThrow(
		'Could not get the connectors: the service denied access (403). The service said: “Not for you”',
	);
});
