/**
 * Remembers what a run of the node has written. Under Retry On Fail, n8n runs the node again with all of its
 * items; with this memory, each write is sent once. Invariants: all attempts of a run share one memory, no
 * two runs do, and it ends with its run.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** What an item has read or written. */
export interface Outcome {
	/** None if it failed. */
	records: IDataObject[];
	/** Only if it failed. */
	error?: unknown;
	/** The engagement that was written to; undefined if there was nothing to write. */
	writtenTo?: number | string;
}

export class RetryMemory {
	/** The outcomes of items that must not be written again, by index. */
	readonly outcomes = new Map<number, Outcome>();
	/** The writes that items share and that must not be sent again, by what they write to. */
	readonly shared = new Map<string, Promise<IDataObject>>();

	/** What was written, for an error that stops a run of `all` items; undefined if nothing was. */
	describe(all: number, progress = ''): { count: string; engagements: string } | undefined {
		const kept = [...this.outcomes].sort(([one], [other]) => one - other);
		const done = kept.map(([, outcome]) => outcome).filter((outcome) => !('error' in outcome));
		if (all < 2 || done.length === 0) return undefined;
		const ids = done.flatMap(({ writtenTo }) => writtenTo ?? []);
		return {
			count: `${done.length} of ${all} items had already been processed`,
			engagements: ids.length === 0 ? '' : `${progress}: ${ids.join(', ')}`,
		};
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
