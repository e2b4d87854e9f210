/** Searches of the engagement list: within 30 seconds, they show what they found, or say why not. */
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { CREDENTIAL, credentialOf } from '../support/credentials.mts';
import { searchList } from '../support/engine/lookups.mts';
import { useService } from '../support/runs.mts';
import type { Fault } from '../support/service/faults.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

const ENGAGEMENTS = 2000;
const MAX_TIME = 30_000;
const LAST =
	/Searched part of the list\. Scroll down for more, or set Engagement to By External ID\./;

let service: SimulatedService;

useService(beforeEach, async () => (service = await startService()));
beforeEach(() => {
	service.model.addConnector({ name: 'cloudbooks' });
	for (let id = 1; id <= ENGAGEMENTS; id += 1)
		service.model.addEngagement({ id, name: id % 100 === 7 ? `Bakery ${id}` : `Farm ${id}` });
	// One page after the other, since the service does not say how many there are.
	Object.assign(service.settings, { maxPageSize: 50, pageFields: 'none' });
});

async function search(filter: string, paginationToken?: string) {
	const began = systemClock.now();
	const credentials = { [CREDENTIAL]: credentialOf(service) };
	const list = { credentials, method: 'searchEngagements', filter, paginationToken };
	try {
		return await searchList(list);
	} finally {
		expect(systemClock.now() - began).toBeLessThan(MAX_TIME);
	}
}

const always = { times: Infinity };
const faults: Array<[string, Fault]> = [
	['fails', { kind: 'status', status: 503 }],
	['hangs', { kind: 'hang' }],
	['is throttled', { kind: 'status', status: 429, headers: { 'retry-after': '100' } }],
];

it('slow pages: what was found, and where to go on', async () => {
	service.settings.latencyMs = 1000;
	const names: string[] = [];
	let token: string | undefined;
	let searches = 0;
	do {
		const { results, paginationToken } = await search('bakery', token);
		token = paginationToken;
		searches += 1;
		const entries = results.map(({ name }) => name);
		if (token !== undefined) expect(entries.pop()).toMatch(LAST);
		names.push(...entries);
	} while (token !== undefined);
	expect(searches).toBeGreaterThan(1);
	expect(new Set(names).size).toBe(20);
	expect(names).toHaveLength(20);
});

it('nothing found so far: that it is not the end', async () => {
	service.settings.latencyMs = 1000;
	const { results, paginationToken } = await search('no such name');
	expect(results).toEqual([{ name: expect.stringMatching(LAST), value: '' }]);
	expect(Number(paginationToken)).toBeGreaterThan(5);
});

it.each(faults)(
	'a page that %s: what was found before, and the reason when scrolling',
	async (_, fault) => {
		service.fail({ path: /engagements$/, query: { page: '9' } }, fault, always);
		const { results, paginationToken } = await search('bakery');
		expect(results.map(({ value }) => value)).toEqual(['7', '107', '207', '307', '407', '']);
		expect(paginationToken).toBe('9');
		await expect(search('bakery', paginationToken)).rejects.toThrow(
			/Could not get the engagements/,
		);
	},
);

it.each(faults)('a service that %s from the start: the reason', async (_, fault) => {
	service.fail({}, fault, always);
	for (const filter of ['', 'bakery'])
		await expect(search(filter)).rejects.toThrow(/Could not get the engagements/);
});

it.each(faults.slice(0, 2))('a lookup by external ID that %s hides no name', async (_, fault) => {
	service.fail({ query: { externalEngagementId: 'bakery 7' } }, fault, always);
	const { results } = await search('bakery 7');
	expect(results.map(({ value }) => value)).toEqual(['7', '707']);
});
