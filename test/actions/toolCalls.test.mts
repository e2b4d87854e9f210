/* What an agent's model gets from a tool call, in n8n's own wrapper for agent tools. */

import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../support/engine/run.mts';
import { callTool } from '../support/engine/tool.mts';
import { jsonOf, run, setupOf, useService } from '../support/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';

const MAX_CHARACTERS = 50_000;

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService({ sample: true })));

const engagements = (over: IDataObject = {}): IDataObject => ({
	resource: 'engagement',
	operation: 'getAll',
	returnAll: true,
	...over,
});

async function answerTo(
	parameters: IDataObject,
): Promise<{ length: number; items: IDataObject[] }> {
	const [answer = ''] = await callTool(setupOf(service, parameters), { calls: 1 });
	return { length: answer.length, items: JSON.parse(answer) };
}

it('a long list is cut, and says what was left out', async () => {
	const all = jsonOf((await run(service, engagements())).items);
	const { length, items } = await answerTo(engagements());
	expect(length).toBeGreaterThan(MAX_CHARACTERS * 0.9);
	expect(length).toBeLessThanOrEqual(MAX_CHARACTERS);
	const note = items.pop();
	expect(items).toEqual(all.slice(0, items.length));
	expect(note?.leftOut).toBe(all.length - items.length);
	expect(note?.note).toMatch(/^Left out: .*Narrow the request with filters.*Selected Fields/);
});

it('what fits is returned in full, and an ordinary run is never cut', async () => {
	const short = await answerTo(engagements({ returnAll: false, limit: 20 }));
	expect(short.items).toHaveLength(20);
	const { items } = await run(service, engagements({ output: 'raw' }));
	expect(items).toHaveLength(service.model.engagements.all.length);
});

it('newer agents run the tool variant as a node of its own, with the same limit', async () => {
	const setup = setupOf(service, engagements({ output: 'raw' }));
	const { items } = await runNode({ ...setup, node: 'engagementUploadsTool' });
	expect(items.length).toBeGreaterThan(10);
	expect(JSON.stringify(jsonOf(items)).length).toBeLessThanOrEqual(MAX_CHARACTERS);
});
