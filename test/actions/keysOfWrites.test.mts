/** Writes of several items: in which order they are sent, and what is said when they stop. */
import type { SimulatedService } from '../support/service/http.mts';
import {
	errorText,
	itemsFrom,
	onErrorContinue,
	run,
	toJson,
	useService,
} from '../support/engine/runs.mts';
import { smallWorld } from '../support/world/smallWorld.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { create, nameSent, listPosts } from './creates.mts';

useVirtualTime();

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));
beforeEach(() => (service.settings.latencyMs = 20));

const named = (count: number) => itemsFrom(0, count).map(({ id }) => ({ name: `N${id}` }));

it('run side by side if On Error continues, with results in input order', async () => {
	service.settings.latencyMs = [5, 40];
	const { items } = await run(service, create(), named(60), onErrorContinue);
	expect(toJson(items).map(({ name }) => name)).toEqual(named(60).map(({ name }) => name));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(named(60).map((_, item) => ({ item })));
	expect(service.mostAtOnce).toBeGreaterThan(8);
});

it('run one after the other if Parallel Requests is 1 for one of the items', async () => {
	const parallelRequests = '={{ $itemIndex === 4 ? 1 : 64 }}';
	await run(service, create({}, { parallelRequests }), named(6), onErrorContinue);
	expect(listPosts(service).map(nameSent)).toEqual(named(6).map(({ name }) => name));
	expect(service.mostAtOnce).toBe(1);
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
		expect(listPosts(service)).toHaveLength(3);
	});

	it('up to 100 engagements, and all of them in its details', async () => {
		failAfter(101);
		const result = await run(service, create(), named(102));
		const ids = itemsFrom(1004, 101).map(({ id }) => id);
		const first = ids.slice(0, 100).join(', ');
		expect(result.error?.message).toMatch(new RegExp(`created: ${first} and 1 more$`));
		expect(errorText(result)).toContain(`. Engagements created: ${ids.join(', ')}`);
	});

	it('which refreshes were started, those without a completed upload too', async () => {
		service.settings.latencyMs = 0;
		service.model.clock.set(Date.now());
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
