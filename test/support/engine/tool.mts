import type { IExecuteData, INode } from 'n8n-workflow';

import { buildAdditionalData, prepare, buildWorkflow, type NodeSetup } from './base.mts';
import { withExpressions } from './lines.mts';
import { core, makeHandleToolInvocation, n8n } from './n8n.mts';
import { NO_OP } from './types.mts';

/** Calls the node as an agent's tool, so many times; returns the answers, or the errors' messages. */
export async function callTool(setup: NodeSetup, calls = 1): Promise<string[]> {
	const { types, store, node } = prepare(setup);
	const agent: INode = { ...node, id: 'agent', name: 'Agent', type: NO_OP, typeVersion: 1 };
	const workflow = buildWorkflow(types, {
		nodes: [agent, node],
		connections: { [node.name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
		timezone: setup.timezone,
	});
	const input = [{ json: {} }];
	const executeData: IExecuteData = { node: agent, data: { main: [input] }, source: null };
	const runExecutionData = n8n.createRunExecutionData();
	const additionalData = buildAdditionalData(types, store);
	/** A context for each attempt, all with the agent's own execute data. */
	const contextFor = (runIndex: number) =>
		new core.SupplyDataContext(
			workflow,
			node,
			additionalData,
			'trigger',
			runExecutionData,
			runIndex,
			input,
			{ ai_tool: [] },
			'ai_tool',
			executeData,
			[],
		);
	const type = types.getByNameAndVersion(node.type, node.typeVersion);
	const call = makeHandleToolInvocation(contextFor, node, type, n8n.createRunExecutionData());
	return await withExpressions(workflow.expression, async () => {
		const answers: string[] = [];
		for (let index = 0; index < calls; index++)
			answers.push(await call({}).catch((error: Error) => error.message));
		return answers;
	});
}
