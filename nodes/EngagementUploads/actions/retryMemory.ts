/**
 * Remembers what a run of the node has written. Under Retry On Fail, n8n runs the node again with all of its
 * items; with this memory, each write is sent once. Invariants: all attempts of a run share one memory, no
 * two runs do, and it ends with its run.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { joinFirst } from '../values/inputError';
import { SentRefreshes } from './dataRefresh/sentRefreshes';
import { Hints } from './hints';

/** What an item has read or written. */
export interface Outcome {
	/** None if it failed. */
	records: IDataObject[];
	/** Only if it failed. */
	error?: unknown;
	/** The operation still waits for part of the records. */
	isPartial?: boolean;
	/** The engagement that was written to; undefined if there was nothing to write. */
	writtenTo?: number | string;
}

export class RetryMemory {
	/** The outcomes of items that must not be written again, by index. */
	readonly outcomes = new Map<number, Outcome>();
	/** The hints of all attempts, unless nothing came of the earlier ones. */
	hints = new Hints();
	/** All external IDs of the run, including those of items that an earlier attempt has finished. */
	readonly externalIds = new Set<string>();
	/** Whether writes may have been sent. */
	hasBegun = false;
	readonly refreshes = new SentRefreshes();
	/** Tells this run from others. */
	readonly run = Symbol('run');

	/** The outcome of an item, unless the operation still waits for part of it. */
	finished(index: number): Outcome | undefined {
		const outcome = this.outcomes.get(index);
		return outcome?.isPartial ? undefined : outcome;
	}

	/**
	 * Adds to an error how many of `all` items are done, the engagements that were written to, and what would
	 * happen to them if n8n repeated the execution.
	 */
	addProgress(
		error: NodeApiError | NodeOperationError,
		all: number,
		{ progress = '', onRetry }: { progress?: string; onRetry?: string } = {},
	): Error {
		const outcomes = [...this.outcomes].sort(([one], [other]) => one - other);
		const ids = outcomes.flatMap(([, { writtenTo }]) => writtenTo ?? []);
		if (!this.hasBegun || (all < 2 && ids.length === 0)) return error;
		const isDone = ({ records, isPartial }: Outcome) => records.length > 0 && !isPartial;
		const done = outcomes.filter(([, outcome]) => isDone(outcome)).length;
		const texts = [error.message];
		if (all > 1) texts.push(`${done} of ${all} items had already been processed`);
		if (ids.length > 0) texts.push(`${progress}: ${joinFirst(ids)}`);
		error.message = texts.join('. ');
		const more = [];
		if (ids.length > 0 && onRetry !== undefined) more.push(onRetry);
		// The message names only the first.
		if (ids.join(', ') !== joinFirst(ids)) more.push(`${progress}: ${ids.join(', ')}`);
		if (more.length > 0) {
			const advice = error.description?.replace(/\.$/, '') ?? '';
			error.description = [advice, ...more].filter(Boolean).join('. ');
		}
		return error;
	}
}

const memories = new WeakMap<object, RetryMemory>();

/** The memory of a run, which its attempts share; without Retry On Fail, a new one. */
export function getMemory(context: IExecuteFunctions): RetryMemory {
	const run = findRunKey(context);
	const memory = (run && memories.get(run)) ?? new RetryMemory();
	if (run !== undefined) memories.set(run, memory);
	return memory;
}

/**
 * An object that all attempts of a run under Retry On Fail share, and no other run has; undefined without
 * Retry On Fail. n8n passes the same execute data to each attempt. In an AI agent's tool call, they are
 * the agent's; there, the arguments (the `json` of the only item) are the same in each attempt.
 */
function findRunKey(context: IExecuteFunctions): object | undefined {
	if (context.getNode().retryOnFail !== true) return undefined;
	const executeData = context.getExecuteData();
	return executeData.node.name === context.getNode().name
		? executeData
		: context.getInputData()[0]?.json;
}
