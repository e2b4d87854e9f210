/** Finds the chosen operation, executes it, and pairs its results with the input items. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { optionsOf, type Options } from '../fields/options';
import { ServiceClient } from '../transport/client';
import { fullText, inputError } from '../transport/errors';
import { parseCollection } from '../values/objects';
import { Execution } from './execution';
import { memoryOf, type Memory, type Outcome } from './memory';
import type { Operation } from './operation';
import { operations } from './operations';

/** n8n adds this to the lists Resource and Operation. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const memory = memoryOf(context);
	const outcomes = await execute(context, memory).catch(
		async (error: Error): Promise<Outcome[]> => {
			const items = context.getInputData();
			// Otherwise n8n would pass on the input items as if they were results.
			if (context.continueOnFail())
				return items.map((_, index) => memory.outcome(index) ?? { error });
			return await Promise.reject(memory.progress.describe(error, items.length));
		},
	);
	return [outcomes.flatMap(toItems)];
}

async function execute(context: IExecuteFunctions, memory: Memory): Promise<Outcome[]> {
	const operation = chosenOperation(context);
	const { parallelRequests: parallel, timeout } = firstOptions(context);
	const client = await ServiceClient.open(context, { parallel, timeout });
	const execution = new Execution(context, client, memory);
	const outcomes = await operation.execute(execution);
	context.addExecutionHints(...execution.hints.all);
	return outcomes;
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = String(context.getNodeParameter('resource', 0));
	const name = String(context.getNodeParameter('operation', 0, ''));
	const found = operations.find((each) => each.resource === resource && each.operation === name);
	if (found !== undefined) return found;
	if ([resource, name].includes(CUSTOM_API_CALL)) {
		throw inputError(
			context.getNode(),
			'Custom API Call cannot be executed in this node',
			'Use the HTTP Request node with the Credential Type Engagement Uploads API, or select a Resource and an Operation',
		);
	}
	throw inputError(
		context.getNode(),
		`The operation “${name}” of the resource “${resource}” does not exist`,
		'Select a Resource and an Operation in the node',
	);
}

/** All items share one pool, so the first item's concurrency and timeout apply. */
function firstOptions(context: IExecuteFunctions): Pick<Options, 'parallelRequests' | 'timeout'> {
	try {
		return optionsOf(parseCollection(context.getNodeParameter('options', 0, {}), 'Options'));
	} catch {
		// Reported when the item's parameters are read, before anything is sent.
		return optionsOf({});
	}
}

function toItems(outcome: Outcome, item: number): INodeExecutionData[] {
	const pairedItem = { item };
	if ('error' in outcome) return [{ json: { error: fullText(outcome.error) }, pairedItem }];
	return outcome.records.map((json) => ({ json, pairedItem }));
}
