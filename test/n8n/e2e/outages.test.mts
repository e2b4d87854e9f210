import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { INode } from 'n8n-workflow';
import type { Sandbox } from '../sandbox.mts';
import { waitUntil } from '../waitFor.mts';
import { makeNode } from '../workflows.mts';
import { MODES } from './modes.mts';
import {
	addHistory,
	every,
	PublishedTrigger,
	TRIGGER,
	triggerWorkflow,
	waitForPolls,
} from './polling.mts';
import { useSandbox } from './setup.mts';

const ALERT = 'Alert';
const UPLOADS = { path: /\/uploads$/ };

/** A trigger whose error output is wired, published and with a stored state. */
async function publish(sandbox: Sandbox): Promise<PublishedTrigger> {
	const workflow = triggerWorkflow(every(3), await addHistory(sandbox));
	const nodes = workflow.nodes.map(
		(node): INode => (node.name === TRIGGER ? { ...node, onError: 'continueErrorOutput' } : node),
	);
	nodes.push(makeNode(ALERT, 'n8n-nodes-base.noOp'));
	workflow.connections[TRIGGER]?.main?.push([{ node: ALERT, type: 'main', index: 0 }]);
	const trigger = await PublishedTrigger.publish(sandbox, { ...workflow, nodes });
	await trigger.waitForPolls(2);
	await trigger.expectAllEmitted();
	return trigger;
}

/** The items that reached the error output, over all executions. */
async function alerts(trigger: PublishedTrigger): Promise<unknown[]> {
	const executions = await trigger.executions();
	return executions.flatMap(
		({ runData }) => runData[ALERT]?.[0]?.data?.main?.[0]?.map(({ json }) => json) ?? [],
	);
}

describe.each(MODES)('with %s polling and On Error: Continue (Using Error Output)', (mode, env) => {
	let sandbox: Sandbox;
	let trigger: PublishedTrigger;

	// Each test continues where the one before it stopped.
	const prepare = async (opened: Sandbox) => {
		sandbox = opened;
		trigger = await publish(sandbox);
	};
	useSandbox(prepare, { service: {}, env });

	test('an outage with a restart in the middle emits one item, and loses nothing', async () => {
		const { service } = sandbox;
		service.fail(UPLOADS, { kind: 'status', status: 403 }, { times: Infinity });
		trigger.complete();
		await waitUntil(async () => (await alerts(trigger)).length > 0, { what: 'an alert' });
		await waitForPolls(service, 3);
		await sandbox.n8n.stop();
		trigger.complete();
		await sandbox.restart();
		await waitForPolls(service, 3);
		service.clearFaults();
		await trigger.expectAllEmitted();
		expect(await alerts(trigger)).toEqual([
			expect.objectContaining({ error: expect.stringContaining('403') }),
		]);
	});

	// In memory, n8n leaves the earlier registration polling too (its issue 35251). Durable, n8n 2.41
	// does not poll at all after this until it is started again.
	test('emits each upload once after an import over the active workflow', async () => {
		const { n8n, rest } = sandbox;
		const file = path.join(n8n.folder, 'imported.json');
		writeFileSync(file, JSON.stringify([await rest.workflow(trigger.workflowId)]));
		await n8n.command('import:workflow', `--input=${file}`);
		await rest.activate(await rest.workflow(trigger.workflowId));
		if (mode === 'durable') await sandbox.restart();
		for (let count = 0; count < 3; count += 1) trigger.complete();
		await trigger.expectAllEmitted();
		await trigger.waitForPolls(4);
		await trigger.expectAllEmitted();
	});
});
