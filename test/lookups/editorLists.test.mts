/** The lists that the editor offers for engagements and connectors. */
import type { INodeListSearchResult } from 'n8n-workflow';

import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { makeCredential } from '../support/world/credentials.mts';
import { searchList } from '../support/engine/lookups.mts';
import { requestLines, useService } from '../support/engine/runs.mts';
import type { Fault } from '../support/service/faults.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

const ENGAGEMENTS = 1250;
const BAKERIES = Array.from({ length: 13 }, (_, index) => String(index * 100 + 7));
/** A user looks at the list. */
const MAX_TIME = 30_000;
const UNFINISHED = /There may be more\. .*, or set Engagement to By External ID\./;

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	const { model } = service;
	model.addConnector({ id: '1', name: 'quill', title: 'Quill Cloud' });
	model.addConnector({ id: '2', name: 'desk', title: 'Desk Ledger', type: '1' });
	model.addConnector({ id: '3', name: 'alder', title: 'alder' });
	// Another version, and one without a title.
	model.addConnector({ id: '4', name: 'desk', title: 'Desk Ledger', type: '1' });
	model.addConnector({ id: '5', name: 'zinc', title: '', description: 'Zinc', type: '1' });
	for (let id = 1; id <= ENGAGEMENTS; id += 1) {
		const name = BAKERIES.includes(String(id)) ? `Bakery ${id}` : `Farm ${id}`;
		model.addEngagement({ id, externalEngagementId: `CRM-${id}`, name });
	}
});
beforeEach(() => {
	service.clearFaults();
	Object.assign(service.settings, defaultSettings());
});

async function search(method: string, filter?: string) {
	service.clearRequests();
	const began = systemClock.now();
	try {
		return await searchList({ credential: makeCredential(service), method, filter });
	} finally {
		expect(systemClock.now() - began).toBeLessThan(MAX_TIME);
	}
}

const valuesIn = ({ results }: INodeListSearchResult) => results.map(({ value }) => value);

describe('the list of engagements', () => {
	it('begins with a page, sorted by name, and says that there may be more', async () => {
		const names = (await search('searchEngagements')).results.map(({ name }) => name);
		expect(names).toHaveLength(501);
		const { compare } = new Intl.Collator('en', { numeric: true });
		const entries = names.slice(0, -1);
		expect(entries).toEqual(entries.toSorted(compare));
		expect(names[0]).toBe('Bakery 7 (CRM-7)');
		expect(names.at(-1)).toMatch(UNFINISHED);
		expect(requestLines(service)).toEqual([
			`GET /v1/clients/${service.clientId}/engagements?page=0&size=500`,
		]);
	});

	it('is searched for a part of what it shows, in any case, in all pages', async () => {
		const found = await search('searchEngagements', ' bAkery ');
		expect(valuesIn(found)).toEqual(BAKERIES);
		expect(valuesIn(await search('searchEngagements', ' 1249 '))).toEqual(['1249']);
		const byExternalId = await search('searchEngagements', 'crm-124');
		expect(valuesIn(byExternalId)).toEqual([
			'124',
			...Array.from({ length: 10 }, (_, i) => `124${i}`),
		]);
	});

	it('shows as many matches as fit into a list, and says that there may be more', async () => {
		const found = await search('searchEngagements', 'farm');
		expect(found.results.length).toBeGreaterThan(100);
		expect(found.results.length).toBeLessThan(1000);
		expect(found.results.at(-1)).toEqual({ name: expect.stringMatching(UNFINISHED), value: '' });
	});
});

it('the lists of connectors hold all, sorted by title, or the refreshable ones, and are searched', async () => {
	const { results } = await search('searchConnectors');
	expect(results).toEqual([
		{ name: 'alder', value: 'alder' },
		{ name: 'Desk Ledger (desk)', value: 'desk' },
		{ name: 'Quill Cloud (quill)', value: 'quill' },
		{ name: 'zinc', value: 'zinc' },
	]);
	expect(valuesIn(await search('searchRefreshableConnectors'))).toEqual(['alder', 'quill']);
	expect(valuesIn(await search('searchConnectors', 'LEDGER'))).toEqual(['desk']);
	expect(valuesIn(await search('searchConnectors', 'quil'))).toEqual(['quill']);
});

describe('within 30 seconds', () => {
	const always = { times: Infinity };
	const throttled = { kind: 'status', status: 429, headers: { 'retry-after': '100' } } as const;
	it.each<[string, Fault, RegExp]>([
		['is throttled', throttled, /accepts no requests until .* \(status 429\)/],
		['hangs', { kind: 'hang' }, /did not respond within [\d.]+ seconds/],
		['denies access', { kind: 'status', status: 403 }, /the service denied access \(403\)/],
	])('a list says why it is not there if the service %s', async (_, fault, message) => {
		service.fail({}, fault, always);
		for (const method of ['searchEngagements', 'searchConnectors'])
			await expect(search(method, 'bakery')).rejects.toThrow(message);
	});

	it('a search of slow pages shows what it found', async () => {
		// One after the other, since the service does not say how many there are.
		Object.assign(service.settings, { maxPageSize: 30, pageFields: 'none', latencyMs: 1000 });
		expect(valuesIn(await search('searchEngagements', 'bakery'))).toEqual([
			...BAKERIES.slice(0, 6),
			'',
		]);
		const { results } = await search('searchEngagements', 'no such name');
		expect(results).toEqual([{ name: expect.stringMatching(UNFINISHED), value: '' }]);
	});
});
