/* What an agent's model gets from a tool call: no more than it can take in. */

import { runNode } from '../support/engine/nodeRun.mts';
import { callTool } from '../support/engine/tool.mts';
import { makeSetup, readOutput, service, toJson, useService } from '../support/engine/runs.mts';
import { startService } from '../support/service/http.mts';

const MAX_CHARACTERS = 50_000;
const engagements = { resource: 'engagement', operation: 'getAll', returnAll: true };

useService(beforeAll, async () => await startService({ sample: true }));

it('a long list is cut, and says what was left out; an ordinary run is never cut', async () => {
	const [answer = ''] = await callTool(makeSetup(service, engagements));
	expect(answer.length).toBeGreaterThan(MAX_CHARACTERS * 0.9);
	expect(answer.length).toBeLessThanOrEqual(MAX_CHARACTERS);
	const items = JSON.parse(answer) as Array<{ leftOut?: number; note?: string }>;
	const last = items.pop();
	const all = await readOutput(service, engagements);
	expect(all).toHaveLength(service.model.engagements.all.length);
	expect(items).toEqual(all.slice(0, items.length));
	expect(last?.leftOut).toBe(all.length - items.length);
	expect(last?.note).toMatch(/^Left out: .*Narrow the request with filters.*Selected Fields/);
});

it('newer agents run the tool variant as a node of its own, with the same limit', async () => {
	const setup = makeSetup(service, { ...engagements, output: 'raw' });
	const { items } = await runNode({ ...setup, node: 'engagementUploadsTool' });
	expect(items.length).toBeGreaterThan(10);
	expect(JSON.stringify(toJson(items)).length).toBeLessThanOrEqual(MAX_CHARACTERS);
});
