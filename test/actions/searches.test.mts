/** The lists that the editor offers for engagements and connectors. */
import type { INodeListSearchResult } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { CREDENTIAL, credentialOf, endpointCredentialOf } from '../support/credentials.mts';
import { searchList } from '../support/engine/lookups.mts';
import { linesOf, useService } from '../support/runs.mts';
import type { Fault } from '../support/service/faults.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

const ENGAGEMENTS = 1250;
/** The IDs of the engagements with this word in their name. */
const BAKERIES = Array.from({ length: 13 }, (_, index) => String(index * 100 + 7));

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	const { model } = service;
	model.addConnector({ id: '1', name: 'quill', title: 'Quill Cloud' });
	model.addConnector({ id: '2', name: 'desk', title: 'Desk Ledger', type: '1' });
	model.addConnector({ id: '3', name: 'alder', title: 'alder' });
	for (let id = 1; id <= ENGAGEMENTS; id += 1) {
		const name = BAKERIES.includes(String(id)) ? `Bakery ${id}` : `Farm ${id}`;
		model.addEngagement({ id, externalEngagementId: `CRM-${id}`, name });
	}
});

beforeEach(() => {
	service.clearFaults();
	Object.assign(service.settings, defaultSettings());
});

async function search(method: string, filter?: string, paginationToken?: string) {
	service.clearRequests();
	const credentials = { [CREDENTIAL]: credentialOf(service) };
	return await searchList({ credentials, method, filter, paginationToken });
}

const valuesIn = ({ results }: INodeListSearchResult) => results.map(({ value }) => value);

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
			`GET /v1/clients/${service.clientId}/engagements?orderBy=name,Id&page=0&size=100`,
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
		expect(valuesIn(await search('searchEngagements', entered))).not.toContain(entered);
	});

	it('finds names by a part, in any case, in all pages', async () => {
		const found = await search('searchEngagements', ' bAkery ');
		expect(valuesIn(found)).toEqual(BAKERIES);
		expect(found.paginationToken).toBeUndefined();
	});

	it('shows as many entries as fit into a list, then waits until more are requested', async () => {
		const first = await search('searchEngagements', 'farm');
		expect(first.results.length).toBeLessThan(1000);
		const second = await search('searchEngagements', 'farm', first.paginationToken);
		const values = [...valuesIn(first), ...valuesIn(second)].filter((value) => value !== '');
		expect(new Set(values).size).toBe(values.length);
	});

	it.each(['NFC', 'NFD'])('finds accented letters that were typed in %s', async (form) => {
		service.model.updateEngagement(9, { name: 'Zoë’s Farm'.normalize('NFD') });
		service.model.updateEngagement(10, { name: 'Zoë’s Field'.normalize('NFC') });
		const found = await search('searchEngagements', 'zoë'.normalize(form));
		expect(valuesIn(found).sort()).toEqual(['10', '9']);
	});

	it('shows an engagement once if both external ID and name match', async () => {
		service.model.updateEngagement(8, { name: 'A neighbour of CRM-1249' });
		expect(valuesIn(await search('searchEngagements', 'CRM-1249'))).toEqual(['1249', '8']);
	});
});

describe('the lists of connectors', () => {
	it('hold all connectors, sorted by title, or the refreshable ones for a data refresh', async () => {
		const { results } = await search('searchConnectors');
		expect(results).toEqual([
			{ name: 'alder', value: 'alder' },
			{ name: 'Desk Ledger (desk)', value: 'desk' },
			{ name: 'Quill Cloud (quill)', value: 'quill' },
		]);
		expect(valuesIn(await search('searchRefreshableConnectors'))).toEqual(['alder', 'quill']);
	});

	it('are searched by title and name', async () => {
		const values = async (filter: string) => valuesIn(await search('searchConnectors', filter));
		expect(await values('LEDGER')).toEqual(['desk']);
		expect(await values('quil')).toEqual(['quill']);
		expect(await values('nothing')).toEqual([]);
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

// A user looks at the lists in the editor, so they do not take long, whatever the service does.
describe('within a minute, a list is there or says why not', () => {
	useVirtualTime();

	/** How a search ends, and after how many seconds. */
	async function ending(method: string, filter?: string, credential = credentialOf(service)) {
		const began = systemClock.now();
		const credentials = { [CREDENTIAL]: credential };
		const message = await searchList({ credentials, method, filter }).then(
			({ results }) => `${results.length} entries`,
			(error: Error) => error.message,
		);
		expect(systemClock.now() - began).toBeLessThan(60_000);
		return message;
	}

	const always = { times: Infinity };
	const throttled = { kind: 'status', status: 429, headers: { 'retry-after': '110' } } as const;

	describe.each(['searchEngagements', 'searchConnectors', 'searchRefreshableConnectors'])(
		'%s',
		(method) => {
			it.each<[string, Fault, RegExp]>([
				['is throttled', throttled, /accepts no requests until .* \(status 429\)/],
				[
					'hangs',
					{ kind: 'hang' },
					/did not respond within [\d.]+ seconds, even after \d attempts/,
				],
				['is down', { kind: 'status', status: 503 }, /the service failed \(status 503\)/],
			])('if the service %s', async (_, fault, message) => {
				service.fail({}, fault, always);
				expect(await ending(method, 'bakery')).toMatch(message);
			});

			it('if the token endpoint hangs', async () => {
				service.fail({ path: service.settings.tokenPath }, { kind: 'hang' }, always);
				const credential = endpointCredentialOf(service);
				expect(await ending(method, '', credential)).toMatch(/the token endpoint did not respond/);
			});
		},
	);

	const lastName = ({ results }: INodeListSearchResult) => results.at(-1)?.name;
	/** In the order of their IDs, one request after the other, as many on a page. */
	const listedBy = (maxPageSize: number) =>
		Object.assign(service.settings, { maxPageSize, pageFields: 'none', honourOrderBy: false });

	it('if pages are slow, with what has been found, and where to go on', async () => {
		Object.assign(listedBy(15), { latencyMs: 500 });
		expect(await ending('searchEngagements', 'bakery')).toBe('10 entries');
		const first = await search('searchEngagements', 'bakery');
		expect(lastName(first)).toBe('Searched part of the list. Scroll down for more.');
		const second = await search('searchEngagements', 'bakery', first.paginationToken);
		expect(second.paginationToken).toBeUndefined();
		expect([...valuesIn(first), ...valuesIn(second)].filter((value) => value !== '')).toEqual(
			BAKERIES,
		);
	});

	it('if so little has been found that n8n cannot scroll, with what to enter', async () => {
		Object.assign(listedBy(5), { latencyMs: 500 });
		const found = await search('searchEngagements', 'bakery');
		expect(valuesIn(found)).toEqual(['7', '107', '207', '']);
		expect(lastName(found)).toBe('Searched part of the list. Enter the External ID.');
	});

	it('with what has been found before a failure, which is shown when scrolling down', async () => {
		listedBy(100);
		service.fail({ query: { page: '9' } }, throttled, always);
		const found = await search('searchEngagements', 'bakery');
		expect(valuesIn(found)).toHaveLength(10);
		const next = search('searchEngagements', 'bakery', found.paginationToken);
		await expect(next).rejects.toThrow('(status 429)');
	});
});
