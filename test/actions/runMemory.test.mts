/** Writes under n8n's Retry On Fail, as a node and as a tool, and the error that stops a run. */
import type { Fault } from '../support/service/faults.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { callTool } from '../support/engine/tool.mts';
import { runNode } from '../support/engine/nodeRun.mts';
import { makeCredential, makeEndpointCredential } from '../support/world/credentials.mts';
import {
	afterRequest,
	errorText,
	itemsFrom,
	makeSetup,
	run,
	service,
	toJson,
} from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { create, listPosts, nameSent } from './creates.mts';

useSmallWorld(beforeEach);

const items = ['A', 'B', 'C'].map((name) => ({ name }));
const sent = () => listPosts(service).map(nameSent);
const refused: Fault = { kind: 'status', status: 422 };
const unknown: Fault = { kind: 'status', status: 502 };

describe('On Error: Continue', () => {
	const options = { maxTries: 3, onError: 'continueRegularOutput' } as const;

	it('repeats only what was rejected, whatever the expressions of others are by then', async () => {
		const given = items.map((item) => ({ ...item, isUsed: 'true' }));
		service.fail({ method: 'POST', body: '"A"' }, refused);
		// The last request of the first attempt is for C.
		afterRequest(service, 3, () => given.slice(1).map((item) => (item.isUsed = 'maybe')));
		const parameters = create({ usePassthrough: '={{ $json.isUsed }}' });
		const { items: results } = await run(service, parameters, given, options);
		expect(sent()).toEqual(['A', 'B', 'C', 'A']);
		expect(toJson(results).map(({ name, engagementId }) => [name, engagementId])).toEqual([
			['A', 1006],
			['B', 1004],
			['C', 1005],
		]);
	});

	it('keeps earlier results if a later attempt fails as a whole', async () => {
		service.fail({ method: 'POST' }, refused);
		const store = new CredentialStore(makeCredential(service));
		afterRequest(service, 3, () =>
			store.save({ ...store.stored(), baseUrl: 'http://example.com' }),
		);
		const given = { ...options, credential: store };
		const { items: results } = await run(service, create(), items, given);
		expect(sent()).toEqual(['A', 'B', 'C']);
		expect(toJson(results)).toEqual([
			expect.objectContaining({ error: expect.stringContaining('https://') }),
			expect.objectContaining({ engagementId: 1004, name: 'B' }),
			expect.objectContaining({ engagementId: 1005, name: 'C' }),
		]);
	});
});

it('sends what was never sent, since there was no token', async () => {
	service.fail({ path: service.tokenPath }, { kind: 'status', status: 400 });
	const given = { maxTries: 2, credential: makeEndpointCredential(service) };
	const { items: results } = await run(service, create(), items, given);
	expect(toJson(results).map(({ name }) => name)).toEqual(['A', 'B', 'C']);
	const creates = service.requests.filter(({ path }) => path.endsWith('/engagements'));
	expect(creates.map(nameSent)).toEqual(['A', 'B', 'C']);
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

describe('if On Error stops, the error says', () => {
	useVirtualTime();

	const named = (count: number) => itemsFrom(0, count).map(({ id }) => ({ name: `N${id}` }));
	const failAfter = (count: number) =>
		service.fail({ method: 'POST' }, { kind: 'status', status: 409 }, { skip: count });

	it('how many items were done, and which engagements were created', async () => {
		failAfter(2);
		const result = await run(service, create(), named(4));
		expect(result.error?.message).toMatch(
			/“N2”.*\(409\).*\[item 2\]\. 2 of 4 items had already been processed$/s,
		);
		expect(errorText(result)).toMatch(/\. Engagements created: 1004, 1005$/);
		expect(listPosts(service)).toHaveLength(3);
	});

	it('which refreshes were started, those without a completed upload too', async () => {
		service.settings.latencyMs = 0;
		service.model.clock.set(Date.now());
		service.model.refreshOutcomes.set(1002, 'fails');
		const parameters = {
			...{ resource: 'dataRefresh', operation: 'run', engagementId: '={{ $json.id }}' },
			...{ connectorName: 'cloudbooks', waitForCompletion: true },
		};
		service.settings.uploadDurationMs = 0;
		const { error } = await run(service, parameters, itemsFrom(1001, 3));
		expect(error?.message).toMatch(
			/engagement 1002 has failed: upload \S+ has.*\[item 1\].*2 of 3 items had already been processed/s,
		);
		expect(error?.description).toMatch(/Refreshes started for engagements: 1001, 1003$/);
	});
});
