/**
 * Writes of several items: in parallel with On Error: Continue, and what is reported when they
 * stop.
 */

import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { errorText, itemsFrom, jsonOf, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { create, hintsOf, nameSent, postsOf } from './writing.mts';

useVirtualTime();

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));
beforeEach(() => {
	service.settings.latencyMs = 20;
});

const schedule: IDataObject = {
	resource: 'dataRefresh',
	operation: 'schedule',
	engagementId: '={{ $json.engagement }}',
	scheduleFrequency: '={{ $json.frequency }}',
	scheduleStartDate: '2026-12-01',
};
const named = (count: number) => itemsFrom(0, count).map(({ id }) => ({ name: `N${id}` }));
const onErrorContinue = { onError: 'continueRegularOutput' } as const;

/** Pairs of writes that were in flight at the same time. */
function overlapping(): string[][] {
	const posts = postsOf(service);
	return posts.flatMap((one, index) =>
		posts
			.slice(index + 1)
			.filter(({ at }) => at < (one.doneAt ?? Infinity))
			.map((other) => [one, other].map(({ url }) => url)),
	);
}

it('runs in parallel if On Error continues, with results in input order', async () => {
	service.settings.latencyMs = [5, 40];
	const { items } = await run(service, create(), named(60), onErrorContinue);
	expect(jsonOf(items).map(({ name }) => name)).toEqual(named(60).map(({ name }) => name));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(named(60).map((_, item) => ({ item })));
	expect(service.mostAtOnce).toBeGreaterThan(8);
	expect(service.mostAtOnce).toBeLessThanOrEqual(64);
});

it.each([
	['On Error stops', {}, {}],
	['Parallel Requests is 1', { parallelRequests: 1 }, onErrorContinue],
	[
		'Parallel Requests is 1 for one of the items',
		{ parallelRequests: '={{ $itemIndex === 4 ? 1 : 64 }}' },
		onErrorContinue,
	],
])('runs sequentially if %s', async (_what, options, settings) => {
	await run(service, create({}, options), named(6), settings);
	expect(postsOf(service).map(nameSent)).toEqual(named(6).map(({ name }) => name));
	expect(service.mostAtOnce).toBe(1);
});

it.each([onErrorContinue, {}])(
	'looks up external IDs before anything is written: %o',
	async (settings) => {
		const engagementId = '={{ $json.engagement }}';
		const byId = { __rl: true, mode: 'id', value: '1001' };
		const byExternalId = { __rl: true, mode: 'externalId', value: 'CRM-1' };
		const items = [byId, byExternalId, byId].map((engagement, index) => ({
			engagement,
			frequency: String(index + 1),
		}));
		await run(service, { ...schedule, engagementId }, items, settings);
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST']);
		expect(overlapping()).toEqual([]);
		expect(service.model.schedules.get(1001)?.frequency).toBe('3');
	},
);

it('never overlaps creates with one external ID, whatever its case or source', async () => {
	const items = [
		{ name: 'a', external: 'X-1' },
		{ name: 'b', external: 'other', custom: { externalEngagementId: ' x-1 ' } },
	];
	const external = { externalEngagementId: '={{ $json.external }}' };
	const customBody = '={{ $json.custom ?? {} }}';
	await run(service, create(external, { customBody }), items, onErrorContinue);
	expect(postsOf(service).map(nameSent)).toEqual(['a', 'b']);
	expect(overlapping()).toEqual([]);
});

describe('if On Error stops', () => {
	beforeEach(() => {
		service.settings.latencyMs = 0;
	});

	it('does not name engagements that were found, and says if none was processed', async () => {
		const additional = { externalEngagementId: '={{ $json.name }}', returnExisting: true };
		service.fail({ method: 'POST' }, { kind: 'status', status: 409 });
		const result = await run(service, create(additional), [{ name: 'CRM-1' }, { name: 'new' }]);
		expect(result.error?.message).toMatch(/1 of 2 items had already been processed$/);
		service.fail({ method: 'POST' }, { kind: 'status', status: 409 });
		const nothing = await run(service, create(), named(2));
		expect(nothing.error?.message).toMatch(/0 of 2 items had already been processed$/);
	});

	it('keeps the links of uploads started before, and where customers must act', async () => {
		const write = (resource: string, operation: string) => ({
			resource,
			operation,
			engagementId: '={{ $json.id }}',
			connectorName: 'cloudbooks',
		});
		const last = { kind: 'status', status: 409 } as const;
		service.fail({ path: /1003/ }, last, { times: 2 });
		const started = await run(service, write('upload', 'start'), itemsFrom(1001, 3));
		const links = service.model.uploads.all.slice(-2).map(({ uploadId }) => uploadId);
		expect(errorText(started)).toMatch(
			new RegExp(`1001 \\(https://.*${links[0]}\\), 1002 \\(https`),
		);
		expect(started.error?.message).toMatch(/Uploads started for engagements: 1001, 1002$/);
		service.model.refreshOutcomes.set(1001, 'actionRequired');
		const refreshed = await run(service, write('dataRefresh', 'run'), itemsFrom(1001, 3));
		expect(errorText(refreshed)).toContain(
			'1001 (https://connect.example.com/authorise/1001), 1002',
		);
		const all = await run(service, write('dataRefresh', 'run'), itemsFrom(1001, 3));
		expect(hintsOf(all)).toEqual([
			expect.stringMatching(/^1 customer needs to open the url of the item first/),
		]);
	});

	it('says what was done even if the service sent a link that is no text', async () => {
		const body = { action: 'LOGIN', url: { toString: 1 } };
		service.fail({ path: /1001.*refresh$/ }, { kind: 'status', status: 200, body });
		service.fail({ path: /1002.*refresh$/ }, { kind: 'status', status: 400 });
		const refresh = { resource: 'dataRefresh', operation: 'run', connectorName: 'cloudbooks' };
		const target = { ...refresh, engagementId: '={{ $json.id }}' };
		const { error } = await run(service, target, itemsFrom(1001, 2));
		expect(error?.message).toMatch(/\(400\).*Refreshes started for engagements: 1001$/);
	});
});
