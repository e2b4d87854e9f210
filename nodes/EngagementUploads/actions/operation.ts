/**
 * An operation: its entry in the editor, its fields, and what it does with all input items. The
 * parameters of every item are read and validated before the first request, so that invalid input
 * costs nothing.
 */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Item } from '../fields/item';
import { forItem } from '../transport/errors';
import { mapOrdered } from '../transport/pool';
import type { Execution } from './execution';
import type { Outcome } from './memory';

export interface Operation {
	/** Its values in the lists Resource and Operation. */
	resource: string;
	operation: string;
	/** Its entry in the list Operation. */
	name: string;
	action: string;
	description: string;
	fields: INodeProperties[];
	/** Returns as many outcomes as there are items, unless it throws. */
	execute(execution: Execution): Promise<Outcome[]>;
}

/** The work for an item whose parameters are valid. */
export type Task = () => Promise<IDataObject[]>;

/** Reads and validates the parameters of one item. @throws NodeOperationError */
export type Prepare = (item: Item, execution: Execution) => Task;

/** Executes an operation that only reads: items run in parallel, results keep their order. */
export function reads(prepare: Prepare): Operation['execute'] {
	return async (execution) => {
		const tasks = execution.items.map((item) =>
			prepareItem<Task>(
				execution,
				item,
				() => prepare(item, execution),
				(failure) => async () => await Promise.reject(failure),
			),
		);
		const { parallel } = execution.client.options;
		return await mapOrdered(
			tasks,
			parallel,
			async (task, index) => await outcomeOf(execution, index, task),
		);
	};
}

/** Prepares an item; an invalid one stops the execution, or becomes the result of `fail`. */
export function prepareItem<T>(
	execution: Execution,
	item: Item,
	prepare: (item: Item) => T,
	fail: (failure: Error) => T,
): T {
	try {
		// Reads the options even if the operation uses none of them, since invalid ones are an error.
		void item.options;
		return prepare(item);
	} catch (error) {
		const failure = forItem(error, item.index, execution.context.getNode());
		if (!execution.continuesOnFail) throw failure;
		return fail(failure);
	}
}

/**
 * Runs an item's task. A failure becomes its outcome if On Error says so; otherwise it stops the
 * execution.
 */
export async function outcomeOf(execution: Execution, index: number, task: Task): Promise<Outcome> {
	try {
		return { records: await task() };
	} catch (error) {
		const failure = forItem(error, index, execution.context.getNode());
		if (execution.continuesOnFail) return { error: failure };
		execution.client.stop();
		throw failure;
	}
}
