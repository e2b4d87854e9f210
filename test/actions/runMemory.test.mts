/** Writes under n8n's Retry On Fail, as a node and as a tool, and the error that stops a run; test/actions/randomWrites has the rest. */
import { CredentialStore } from '../support/engine/credentials.mts';
import { callTool } from '../support/engine/tool.mts';
import { runNode } from '../support/engine/nodeRun.mts';
import { makeCredential } from '../support/world/credentials.mts';
import {
	afterRequest,
	errorText,
	itemsFrom,
	makeSetup,
	onErrorContinue,
	run,
	service,
	toJson,
} from '../support/engine/runs.mts';
import type { Fault } from '../support/service/faults.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { create, listPosts, nameSent } from './creates.mts';

useVirtualTime();
useSmallWorld(beforeEach);

const sent = () => listPosts(service).map(nameSent);
const refused: Fault = { kind: 'status', status: 422 };
const unknown: Fault = { kind: 'status', status: 502 };

it('what was done comes out as it was, whatever its expressions are by then', async () => {
	const items = ['A', 'B'].map((name) => ({ name, isUsed: 'true' }));
	service.fail({ method: 'POST', body: '"B"' }, refused);
	afterRequest(service, 2, () => Object.assign(items[0] ?? {}, { isUsed: 'maybe' }));
	const parameters = create({ usePassthrough: '={{ $json.isUsed }}' });
	const { items: results } = await run(service, parameters, items, { maxTries: 2 });
	expect(toJson(results).map(({ name }) => name)).toEqual(['A', 'B']);
	expect(sent()).toEqual(['A', 'B', 'B']);
});

it('what was done comes out though a later try fails as a whole', async () => {
	service.fail({ method: 'POST', body: '"A"' }, refused);
	const store = new CredentialStore(makeCredential(service));
	afterRequest(service, 2, () => store.save({ ...store.stored(), baseUrl: 'http://example.com' }));
	const options = { ...onErrorContinue, maxTries: 2, credential: store };
	const { items } = await run(service, create(), [{ name: 'A' }, { name: 'B' }], options);
	expect(toJson(items)).toEqual([
		{ error: expect.stringContaining('https://') },
		expect.objectContaining({ name: 'B' }),
	]);
});

it('writes again in another run of the node, in the same execution and in another one', async () => {
	const setup = { ...makeSetup(service, create({}, 'Again'), [{}]), maxTries: 3, times: 2 };
	for (const runs of [2, 4]) {
		const { error } = await runNode(setup);
		expect(error).toBeUndefined();
		expect(sent()).toHaveLength(runs);
	}
});

it('as a tool of an agent, it resends nothing after an unknown outcome, and writes in each call', async () => {
	service.fail({ method: 'POST' }, unknown);
	const tool = makeSetup(service, create({}, 'Tool'), [], { maxTries: 3 });
	const [answer] = await callTool(tool);
	expect(answer).toContain('outcome is unknown');
	expect(sent()).toEqual(['Tool']);
	expect(await callTool(tool, 2)).toHaveLength(2);
	expect(sent()).toEqual(['Tool', 'Tool', 'Tool']);
});

it('if On Error stops, the error says how many items were done, and which refreshes were started', async () => {
	service.model.clock.set(Date.now());
	service.settings.uploadDurationMs = 0;
	service.model.refreshOutcomes.set(1002, 'fails');
	const parameters = {
		...{ resource: 'dataRefresh', operation: 'run', engagementId: '={{ $json.id }}' },
		...{ connectorName: 'cloudbooks', waitForCompletion: true },
	};
	const result = await run(service, parameters, itemsFrom(1001, 3));
	expect(result.error?.message).toMatch(
		/engagement 1002 has failed: upload \S+ has.*\[item 1\]\. 2 of 3 items had already been processed$/s,
	);
	expect(errorText(result)).toMatch(/\. Refreshes started for engagements: 1001, 1003$/);
});
