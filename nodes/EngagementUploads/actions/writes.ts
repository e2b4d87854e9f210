/** Operations that change something in the service. */
import {
	outcomeOf,
	prepareAll,
	type Operation,
	type Outcome,
	type Prepare,
	type Task,
} from './operation';
import type { Execution } from './execution';

/** Executes an operation that changes something: items run one by one. */
export function writes(prepare: Prepare): Operation['execute'] {
	return async (execution) => await runSequentially(execution, prepareAll(execution, prepare));
}

/** Runs the items' tasks one by one; an error that stops them says how many were done before it. */
export async function runSequentially(execution: Execution, tasks: Task[]): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const [index, task] of tasks.entries()) {
		try {
			outcomes.push(await outcomeOf(execution, index, task));
		} catch (error) {
			throw withProgress(error as Error, index, tasks.length);
		}
	}
	return outcomes;
}

function withProgress(error: Error, done: number, all: number): Error {
	if (all > 1) error.message += `. ${done} of ${all} items had already been processed`;
	return error;
}
