/**
 * Lookups of many items share requests. If the service refuses one, only the items at fault fail; if
 * it refuses each of them, few are sent.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isLong } from '../support/long.mts';
import { itemsFrom, onErrorContinue, run, service, useService } from '../support/engine/runs.mts';
import type { Fault, Match } from '../support/service/faults.mts';
import { startService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

const COUNT = isLong ? 500 : 150;
const items = itemsFrom(1001, COUNT);
useService(beforeEach, startService);
beforeEach(() => {
	service.model.addConnector({ id: '1', name: 'cloudbooks' });
	for (const { id } of items) {
		service.model.addEngagement({ id, externalEngagementId: `CRM-${id}` });
		service.model.addCompletedUpload({ engagementId: id });
	}
});

/** An operation on each item, and the requests of its lookup: all, or those with one of these IDs. */
interface Lookup {
	parameters: IDataObject;
	match: Match;
	ofItems: (ids: string) => Match;
}

const externalId = '=CRM-{{ $json.id }}';
const byExternalId: Omit<Lookup, 'parameters'> = {
	match: { method: 'GET', path: /engagements$/ },
	ofItems: (ids) => ({ query: { externalEngagementId: new RegExp(`CRM-(${ids})\\b`) } }),
};

const lookups = {
	'last uploads': {
		parameters: { resource: 'upload', operation: 'getLast', engagementId: '={{ $json.id }}' },
		match: { path: /lastUploads$/ },
		ofItems: (ids) => ({ query: { engagementIds: new RegExp(`\\b(${ids})\\b`) } }),
	},
	'external IDs': {
		parameters: {
			resource: 'company',
			operation: 'get',
			engagementId: { __rl: true, mode: 'externalId', value: externalId },
		},
		...byExternalId,
	},
	'engagements that may exist before a create': {
		parameters: {
			resource: 'engagement',
			operation: 'create',
			name: 'A customer',
			additionalFields: { externalEngagementId: externalId },
		},
		...byExternalId,
	},
	'uploads before refreshes': {
		parameters: {
			resource: 'dataRefresh',
			operation: 'run',
			engagementId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			connectorName: { __rl: true, mode: 'name', value: 'cloudbooks' },
			waitForCompletion: true,
		},
		match: { path: /\/uploads$/ },
		ofItems: (ids) => ({ query: { engagementId: new RegExp(`\\b(${ids})\\b`) } }),
	},
} satisfies Record<string, Lookup>;

const always = { times: Infinity };

/** The IDs of the items that fail. */
async function failures({ parameters }: Lookup, count = COUNT): Promise<number[]> {
	const given = items.slice(0, count);
	const { items: results } = await run(service, parameters, given, onErrorContinue);
	expect(results).toHaveLength(count);
	const failed = results.filter(({ json }) => 'error' in json);
	return failed.map(({ pairedItem }) => 1001 + Object(pairedItem).item);
}

/** They share what splits requests, so one of them gets every row; the others do in `npm run test:long`. */
const rowsFor = <T,>(name: string, rows: T[]) =>
	isLong || name === 'last uploads' ? rows : rows.slice(0, 1);

describe.each(Object.entries<Lookup>(lookups))('lookups of %s', (name, lookup) => {
	const faults: Fault[] = [
		{ kind: 'status', status: 400 },
		{ kind: 'status', status: 404 },
		{ kind: 'status', status: 500 },
		{ kind: 'html' },
		{ kind: 'hang' },
	];
	it.each(rowsFor(name, faults))('fail only for the item that gets %j', async (fault) => {
		service.fail(lookup.ofItems('1008'), fault, always);
		expect(await failures(lookup, 40)).toEqual([1008]);
	});

	const refusals: Array<[status: number, headers: Record<string, string>, most: number]> = [
		[403, {}, 101],
		[404, {}, 101],
		// One key at a time, until a minute has passed without a success.
		[503, {}, 30],
		// These are about all of them.
		[401, {}, 6],
		[403, { 'retry-after': '3600' }, 6],
		[429, { 'retry-after': '3600' }, 6],
	];
	it.each(rowsFor(name, refusals))(
		'cost few requests if each gets a %d %j: %d at most',
		async (status, headers, most) => {
			service.fail(lookup.match, { kind: 'status', status, headers }, always);
			expect(await failures(lookup)).toHaveLength(COUNT);
			expect(service.requests.length).toBeLessThanOrEqual(most);
		},
	);
});

it.each([
	['422', 422, 40],
	// More look like an outage: a minute without a success.
	['500', 500, 3],
])('any of them may fail with a %s, and no other', async (_, status, most) => {
	const lookup = lookups['last uploads'];
	const ids = items.slice(0, 120).map(({ id }) => id);
	const neighbours = fc.nat(100).map((from) => ids.slice(from, from + 20).slice(-most));
	const bad = fc.oneof(neighbours, fc.subarray(ids, { minLength: 1, maxLength: most }));
	await fc.assert(
		fc.asyncProperty(bad, async (failing) => {
			service.clearFaults();
			service.fail(lookup.ofItems(failing.join('|')), { kind: 'status', status }, always);
			expect(await failures(lookup, ids.length)).toEqual(failing);
		}),
		{ numRuns: isLong ? 8 : 3 },
	);
});

it('a list without an end is not asked for in parts', async () => {
	service.settings.pageFields = 'endless';
	expect(await failures(lookups['last uploads'], 23)).toHaveLength(23);
	service.settings.pageFields = 'documented';
	expect(service.requests).toHaveLength(101);
});
