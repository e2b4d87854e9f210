/** Which writes run side by side. randomWrites/oracle.mts judges those with one key. */
import { itemsFrom, onErrorContinue, run, service, toJson } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { create, nameSent, listPosts } from './creates.mts';

useVirtualTime();

useSmallWorld(beforeEach);
beforeEach(() => (service.settings.latencyMs = 20));

const named = (count: number) => itemsFrom(0, count).map(({ id }) => ({ name: `N${id}` }));

it('run side by side if On Error continues, with results in input order', async () => {
	service.settings.latencyMs = [5, 40];
	const { items } = await run(service, create(), named(60), onErrorContinue);
	expect(toJson(items).map(({ name }) => name)).toEqual(named(60).map(({ name }) => name));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(named(60).map((_, item) => ({ item })));
	expect(service.mostAtOnce).toBeGreaterThan(8);
});

it('run one after the other if Parallel Requests is 1', async () => {
	await run(service, create({}, { parallelRequests: 1 }), named(6), onErrorContinue);
	expect(listPosts(service).map(nameSent)).toEqual(named(6).map(({ name }) => name));
	expect(service.mostAtOnce).toBe(1);
});
