/** Finds the operation by resource and operation, runs it, and links what comes out to its items. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { optionsOf, type Options } from '../fields/options';
import { fullText, inputError } from '../transport/errors';
import { ServiceClient } from '../transport/client';
import { InputError } from '../values/input';
import type { Operation, Outcome } from './operation';
import { resources } from './operations';
import { Run } from './execution';

export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const outcomes = await outcomesOf(context).catch(async (error: Error): Promise<Outcome[]> => {
		// Else n8n would hand on the input items as if they were results.
		if (context.continueOnFail()) return context.getInputData().map(() => ({ error }));
		return await Promise.reject(error);
	});
	return [outcomes.flatMap(linked)];
}

async function outcomesOf(context: IExecuteFunctions): Promise<Outcome[]> {
	const operation = operationOf(context);
	const { parallelRequests: parallel, timeout } = firstOptions(context);
	const service = await ServiceClient.open(context, { parallel, timeout });
	const run = new Run(context, service);
	const outcomes = await operation(run);
	context.addExecutionHints(...run.hints.all);
	return outcomes;
}

function operationOf(context: IExecuteFunctions): Operation {
	const resource = String(context.getNodeParameter('resource', 0));
	const name = String(context.getNodeParameter('operation', 0));
	const operations: Record<string, Operation> =
		(Object.hasOwn(resources, resource) && resources[resource]) || {};
	const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
	if (operation !== undefined) return operation;
	throw inputError(
		context.getNode(),
		`The operation “${name}” of the resource “${resource}” is not known`,
		'Choose Resource and Operation in the node',
	);
}

/** Concurrency and time-out are those of the first item: all items share one pool. */
function firstOptions(context: IExecuteFunctions): Pick<Options, 'parallelRequests' | 'timeout'> {
	try {
		return optionsOf((context.getNodeParameter('options', 0, {}) ?? {}) as IDataObject);
	} catch (error) {
		// What is wrong with them is told when the item's parameters are read, before anything is sent.
		if (error instanceof InputError) return optionsOf({});
		throw inputError(context.getNode(), (error as Error).message, '', 0);
	}
}

function linked(outcome: Outcome, item: number): INodeExecutionData[] {
	const pairedItem = { item };
	if ('error' in outcome) return [{ json: { error: fullText(outcome.error) }, pairedItem }];
	return outcome.records.map((json) => ({ json, pairedItem }));
}
