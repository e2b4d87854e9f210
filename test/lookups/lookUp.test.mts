/**
 * Lookups of many items share requests. If the service refuses one, only the items at fault fail; if
 * it refuses each of them, few are sent.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { fuzz } from '../hardening/fuzz.mts';
import { itemsFrom, onErrorContinue, run, service, useService } from '../support/engine/runs.mts';
import type { Fault, Match } from '../support/service/faults.mts';
import { startService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

const COUNT = 150;
const items = itemsFrom(1001, COUNT);
useService(beforeEach, startService);
beforeEach(() => {
	service.model.addConnector({ id: '1', name: 'cloudbooks' });
	for (const { id } of items) {
		service.model.addEngagement({ id, externalEngagementId: `CRM-${id}` });
		service.model.addCompletedUpload({ engagementId: id });
	}
});

/** An operation on each item, and the requests of its lookup with one of these IDs. */
interface Lookup {
	parameters: IDataObject;
	ofItems: (ids: string) => Match;
}

const externalId = '=CRM-{{ $json.id }}';
const ofExternal: Lookup['ofItems'] = (ids) => ({
	query: { externalEngagementId: new RegExp(`CRM-(${ids})\\b`) },
});

const lookups = {
	'last uploads': {
		parameters: { resource: 'upload', operation: 'getLast', engagementId: '={{ $json.id }}' },
		ofItems: (ids) => ({ query: { engagementIds: new RegExp(`\\b(${ids})\\b`) } }),
	},
	'external IDs': {
		parameters: {
			resource: 'company',
			operation: 'get',
			engagementId: { __rl: true, mode: 'externalId', value: externalId },
		},
		ofItems: ofExternal,
	},
	'engagements that may exist before a create': {
		parameters: {
			resource: 'engagement',
			operation: 'create',
			name: 'A customer',
			additionalFields: { externalEngagementId: externalId },
		},
		ofItems: ofExternal,
	},
	'uploads before refreshes': {
		parameters: {
			resource: 'dataRefresh',
			operation: 'run',
			engagementId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			connectorName: { __rl: true, mode: 'name', value: 'cloudbooks' },
			waitForCompletion: true,
		},
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

const LAST = lookups['last uploads'];

it.each(Object.entries<Lookup>(lookups))(
	'%s fail only for the item that is refused',
	async (...[, lookup]) => {
		service.fail(lookup.ofItems('1008'), { kind: 'status', status: 404 }, always);
		expect(await failures(lookup, 40)).toEqual([1008]);
	},
);

it.each<Fault>([{ kind: 'html' }, { kind: 'hang' }])('or that gets %j', async (fault) => {
	service.fail(LAST.ofItems('1008'), fault, always);
	expect(await failures(LAST, 40)).toEqual([1008]);
});

it.each<[status: number, headers: Record<string, string>, most: number]>([
	[403, {}, 101],
	// One key at a time, until a minute has passed without a success.
	[503, {}, 30],
	// These are about all of them.
	[401, {}, 6],
	[403, { 'retry-after': '3600' }, 6],
	[429, { 'retry-after': '3600' }, 6],
])('few requests are sent if each gets a %d %j: %d at most', async (status, headers, most) => {
	service.fail({}, { kind: 'status', status, headers }, always);
	expect(await failures(LAST)).toHaveLength(COUNT);
	expect(service.requests.length).toBeLessThanOrEqual(most);
});

it.each([
	['422', 422, 40],
	// More look like an outage: a minute without a success.
	['500', 500, 3],
])('any of them may fail with a %s, and no other', async (_, status, most) => {
	const ids = items.slice(0, 120).map(({ id }) => id);
	const neighbours = fc.nat(100).map((from) => ids.slice(from, from + 20).slice(-most));
	const bad = fc.oneof(neighbours, fc.subarray(ids, { minLength: 1, maxLength: most }));
	await fc.assert(
		fc.asyncProperty(bad, async (failing) => {
			service.clearFaults();
			service.fail(LAST.ofItems(failing.join('|')), { kind: 'status', status }, always);
			expect(await failures(LAST, ids.length)).toEqual(failing);
		}),
		fuzz(3),
	);
});
