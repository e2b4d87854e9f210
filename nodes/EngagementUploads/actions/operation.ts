/**
 * An operation: its entry in the editor, its fields, and what it does with all input items. The
 * parameters of every item are read and validated before the first request, so that invalid input
 * costs nothing.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../fields/field';
import type { Item } from '../fields/item';
import { forItem } from '../transport/failures/errors';
import { mapOrdered } from '../transport/http/pool';
import { Execution, type OperationFields } from './execution';
import type { Memory, Outcome } from './memory';

export interface Operation {
	/** Its values in the lists Resource and Operation. */
	resource: string;
	operation: string;
	/** Its entry in the list Operation. */
	name: string;
	action: string;
	description: string;
	fields: Fields;
	/** Returns as many outcomes as there are items, unless it throws. */
	execute(context: IExecuteFunctions, memory: Memory): Promise<Outcome[]>;
}

/** What an operation does, with the values of its fields. */
export type Implementation = Pick<Operation, 'fields' | 'execute'>;

export function implementation<F extends OperationFields>(
	fields: F,
	run: (execution: Execution<F>) => Promise<Outcome[]>,
): Implementation {
	return {
		fields,
		async execute(context, memory) {
			const execution = await Execution.open(context, memory, fields);
			const outcomes = await run(execution);
			context.addExecutionHints(...execution.hints.all);
			return outcomes;
		},
	};
}

/**
 * An operation that only reads: items run in parallel, results keep their order. `prepare` holds
 * what the items share, and validates each; its result is the work for the item.
 */
export function reads<F extends OperationFields>(
	fields: F,
	prepare: (execution: Execution<F>) => (item: Item<F>) => () => Promise<IDataObject[]>,
): Implementation {
	return implementation(fields, async (execution) => {
		const tasks = await execution.prepare(prepare(execution));
		const { parallel } = execution.client.options;
		return await mapOrdered(tasks, parallel, async (taskOf, index) => {
			return await outcomeOf(execution, index, async () => ({ records: await taskOf()() }));
		});
	});
}

/**
 * The outcome of an item. A failure becomes its outcome if On Error says so; otherwise it stops the
 * execution. What is final is also the outcome of all later attempts.
 */
export async function outcomeOf(
	execution: Execution,
	index: number,
	run: () => Promise<Outcome>,
	isFinal: (error: unknown) => boolean = () => false,
): Promise<Outcome> {
	try {
		return await run();
	} catch (error) {
		const failure = forItem(error, index, execution.context.getNode());
		if (isFinal(error)) execution.memory.outcomes.set(index, { error: failure });
		if (execution.context.continueOnFail()) return { error: failure };
		execution.client.stop();
		throw failure;
	}
}
