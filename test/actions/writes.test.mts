/** Writes of several items: in which order they are sent, and what is said when they stop. */
import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { errorText, itemsFrom, jsonOf, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { create, hintsOf, nameSent, postsOf } from './writing.mts';

useVirtualTime();

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));
beforeEach(() => (service.settings.latencyMs = 20));

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

it('run side by side if On Error continues, with results in input order', async () => {
	service.settings.latencyMs = [5, 40];
	const { items } = await run(service, create(), named(60), onErrorContinue);
	expect(jsonOf(items).map(({ name }) => name)).toEqual(named(60).map(({ name }) => name));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(named(60).map((_, item) => ({ item })));
	expect(service.mostAtOnce).toBeGreaterThan(8);
});

it.each([
	['On Error stops', {}, {}],
	[
		'Parallel Requests is 1 for one of the items',
		{ parallelRequests: '={{ $itemIndex === 4 ? 1 : 64 }}' },
		onErrorContinue,
	],
])('run one after the other if %s', async (_what, options, settings) => {
	await run(service, create({}, options), named(6), settings);
	expect(postsOf(service).map(nameSent)).toEqual(named(6).map(({ name }) => name));
	expect(service.mostAtOnce).toBe(1);
});

it.each([onErrorContinue, {}])(
	'to one engagement keep their order and never overlap, after all lookups: %o',
	async (settings) => {
		const byId = { __rl: true, mode: 'id', value: '1001' };
		const byExternalId = { __rl: true, mode: 'externalId', value: 'CRM-1' };
		const items = [byId, byExternalId, byId].map((engagement, index) => ({
			engagement,
			frequency: String(index + 1),
		}));
		const schedule = {
			resource: 'dataRefresh',
			operation: 'schedule',
			engagementId: '={{ $json.engagement }}',
			scheduleFrequency: '={{ $json.frequency }}',
			scheduleStartDate: '2026-12-01',
		};
		await run(service, schedule, items, settings);
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST']);
		expect(overlapping()).toEqual([]);
		expect(service.model.schedules.get(1001)?.frequency).toBe('3');
	},
);

it('with one external ID keep their order and never overlap, whatever its case or source', async () => {
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

describe('if On Error stops, the error says', () => {
	const failAfter = (count: number) =>
		service.fail({ method: 'POST' }, { kind: 'status', status: 409 }, { skip: count });

	it('how many items were done, and which engagements were created', async () => {
		failAfter(2);
		const result = await run(service, create(), named(4));
		expect(result.error?.message).toMatch(
			/“N2”.*\(409\).*\[item 2\]\. 2 of 4 items had already been processed\. Engagements created: 1004, 1005$/s,
		);
		expect(postsOf(service)).toHaveLength(3);
	});

	it('nothing of engagements that were found, and so not created', async () => {
		const additional = { externalEngagementId: '={{ $json.name }}', returnExisting: true };
		failAfter(0);
		const result = await run(service, create(additional), [{ name: 'CRM-1' }, { name: 'new' }]);
		expect(result.error?.message).toMatch(/\(409\).*1 of 2 items had already been processed$/s);
	});

	it('up to 100 engagements, and all of them in its details', async () => {
		failAfter(101);
		const result = await run(service, create(), named(102));
		const ids = itemsFrom(1004, 101).map(({ id }) => id);
		const first = ids.slice(0, 100).join(', ');
		expect(result.error?.message).toMatch(new RegExp(`created: ${first} and 1 more$`));
		expect(errorText(result)).toContain(`Engagements created: ${ids.join(', ')}`);
	});

	it('which refreshes were started, those without a completed upload too', async () => {
		service.settings.latencyMs = 0;
		service.model.setClock(Date.now());
		service.model.refreshOutcomes.set(1002, 'fails');
		const parameters = {
			...{ resource: 'dataRefresh', operation: 'run', engagementId: '={{ $json.id }}' },
			...{ connectorName: 'cloudbooks', waitForCompletion: true, options: { waitInterval: 1 } },
		};
		service.settings.uploadDurationMs = 0;
		const { error } = await run(service, parameters, itemsFrom(1001, 3));
		expect(error?.message).toMatch(
			/engagement 1002 has failed: upload \S+ has.*\[item 1\].*2 of 3 items had already been processed.*Refreshes started for engagements: 1001, 1002, 1003$/s,
		);
	});
});

it('a hint says which customers must act', async () => {
	service.model.refreshOutcomes.set(1001, 'actionRequired');
	const refresh = { resource: 'dataRefresh', operation: 'run', connectorName: 'cloudbooks' };
	const given: IDataObject = { ...refresh, engagementId: '={{ $json.id }}' };
	expect(hintsOf(await run(service, given, itemsFrom(1001, 3)))).toEqual([
		'The customer must open the url of the item first for engagement 1001.',
	]);
});
