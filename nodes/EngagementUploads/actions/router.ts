/** Finds the chosen operation, runs it, and pairs its results with the input items. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { fullText, nodeError } from '../transport/errors';
import { InputError, quote } from '../values/inputError';
import type { Operation } from './operation';
import { operations } from './operations';
import { getMemory, type Outcome } from './retryMemory';
import { nameItem } from './run';
import { fitToolCall } from './toolCall';

/** Runs the node. */
export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const outcomes = await run(context);
	const items = outcomes.flatMap((outcome, index) =>
		toItems(outcome, index, nameItem(context, index)),
	);
	return [fitToolCall(context, items)];
}

async function run(context: IExecuteFunctions): Promise<Outcome[]> {
	const memory = getMemory(context);
	const items = context.getInputData();
	let operation: Operation | undefined;
	try {
		operation = chosenOperation(context);
		return await operation.run(context, memory);
	} catch (caught) {
		const error = nodeError(context.getNode(), caught);
		// If this threw, n8n would pass on the input items as if they were results.
		if (context.continueOnFail())
			return items.map((_, index) => memory.outcomes.get(index) ?? { records: [], error });
		const done = memory.describe(items.length, operation?.progress);
		if (done === undefined) throw error;
		error.message = `${error.message}. ${done.count}`;
		error.description = [error.description, done.engagements].filter(Boolean).join('. ');
		throw error;
	}
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = String(context.getNodeParameter('resource', 0));
	const name = String(context.getNodeParameter('operation', 0, ''));
	const found = operations.find((each) => each.resource === resource && each.operation === name);
	if (found !== undefined) return found;
	throw new InputError(
		`The operation ${quote(name)} of the resource ${quote(resource)} does not exist`,
		'Select a Resource and an Operation in the node',
	);
}

function toItems(outcome: Outcome, item: number, named?: number): INodeExecutionData[] {
	const pairedItem = { item };
	if ('error' in outcome) return [{ json: { error: fullText(outcome.error, named) }, pairedItem }];
	return outcome.records.map((json) => ({ json, pairedItem }));
}
