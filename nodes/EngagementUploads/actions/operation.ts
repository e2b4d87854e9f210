/**
 * What an operation is: all the input items in, one outcome for each out. The parameters of every
 * item are read and checked before the first request, so that wrong input costs nothing.
 */
import type { IDataObject } from 'n8n-workflow';
import { forItem, withProgress } from '../transport/errors';
import { mapOrdered } from '../transport/pool';
import type { Item, Run } from './execution';

/** What came of an item. */
export type Outcome = { records: IDataObject[] } | { error: Error };

/** An operation returns as many outcomes as there are items, unless it throws. */
export type Operation = (run: Run) => Promise<Outcome[]>;

/** What is left to do for an item once its parameters are known to be good. */
export type Task<T = IDataObject[]> = () => Promise<T>;

/** Reads and checks the parameters of one item. @throws NodeOperationError */
export type Prepare<T = IDataObject[]> = (item: Item) => Task<T>;

/** An operation that only reads: items in parallel, results in their order. */
export function reads(prepare: Prepare): Operation {
	return async (run) => {
		const works = prepared(run, prepare);
		return await mapOrdered(works, run.service.options.parallel, async (work, index) => {
			return await outcomeOf(run, index, work);
		});
	};
}

/** An operation that changes something: one item after the other. */
export function writes(prepare: Prepare): Operation {
	return async (run) => await runSequentially(run, prepared(run, prepare));
}

/** Does the work of each item in turn; the error that stops it tells how many were done before. */
export async function runSequentially(run: Run, works: Task[]): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const [index, work] of works.entries()) {
		const outcome = outcomeOf(run, index, work);
		outcomes.push(
			await outcome.catch((error: Error) =>
				Promise.reject(withProgress(error, index, works.length)),
			),
		);
	}
	return outcomes;
}

/** Prepares every item; one that cannot be prepared stops all, or becomes work that fails. */
export function prepared<T>(run: Run, prepare: Prepare<T>): Array<Task<T>> {
	return run.items.map((item) => {
		try {
			return prepare(item);
		} catch (error) {
			const failure = forItem(error, item.index, run.context.getNode());
			if (!run.keepsGoing) throw failure;
			return async () => await Promise.reject(failure);
		}
	});
}

/** Does the work of an item. A failure is its outcome where On Error says so, else it stops the run. */
export async function outcomeOf(run: Run, index: number, work: Task): Promise<Outcome> {
	try {
		return { records: await work() };
	} catch (error) {
		const failure = forItem(error, index, run.context.getNode());
		if (run.keepsGoing) return { error: failure };
		run.service.stop();
		throw failure;
	}
}
