/**
 * What one run of the node has written. Under Retry On Fail, n8n runs the node again with all of
 * its items; with this memory, each write reaches the service once. Invariants: all attempts of a
 * run share one memory, no two runs do, and it ends with its run.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { runOf } from '../transport/n8nCompat';
import type { Wait } from './dataRefresh/wait';
import { RefreshedEngagements } from './dataRefresh/uploadLooks';
import { KnownEngagements } from './engagement/known';
import { Progress } from './progress';

/** The outcome of an item. */
export type Outcome = { records: IDataObject[] } | { error: Error };

export class Memory {
	readonly progress = new Progress();
	/** Engagements that were found or created. */
	readonly engagements = new KnownEngagements();
	readonly refreshedEngagements = new RefreshedEngagements();
	/** Waits for refreshes that were sent, by item. */
	readonly waits = new Map<number, Wait>();
	/** The outcomes of items that must not be written again. */
	readonly outcomes = new Map<number, Outcome>();

	/** Adds to the error that stops the execution what was done for `all` items before. */
	describe(error: Error, all: number): Error {
		const done = [...this.outcomes.values()].filter((outcome) => 'records' in outcome);
		return this.progress.describe(error, done.length, all);
	}
}

const memories = new WeakMap<object, Memory>();

/** The memory of the run that this attempt belongs to; a new one without Retry On Fail. */
export function memoryOf(context: IExecuteFunctions): Memory {
	const run = runOf(context);
	const memory = (run && memories.get(run)) ?? new Memory();
	if (run !== undefined) memories.set(run, memory);
	return memory;
}
