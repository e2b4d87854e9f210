/**
 * What one run of the node has written. Under Retry On Fail, n8n runs the node again with all of
 * its items; with this memory, each write reaches the service once. Invariants: all attempts of a
 * run share one memory, no two runs do, and it ends with its run.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { runOf } from '../transport/n8nCompat';
import { listed } from '../values/inputError';
import { toText } from '../values/text';

/** What an item has read or written. */
export interface Result {
	records: IDataObject[];
	/** The records still lack something that the operation waits for. */
	isPartial?: boolean;
	/** Undefined if nothing was written after all. */
	done?: Done;
}

export type ItemResult = Result | { error: unknown };

/** A list of what the writes of an operation have done. */
export interface ProgressList {
	/** in the error's context */
	key: string;
	/** in the error's message */
	label: string;
}

/** What a write has done. */
interface Done {
	/** The engagement that was written to. */
	engagementId: number | string;
	/** Where the customer must act. */
	link?: string | null;
}

/** Maximum number of IDs in a message; all of them are in the error's details. */
const MAX_NAMED = 100;

export class Memory {
	/** The outcomes of items that must not be written again. */
	readonly outcomes = new Map<number, ItemResult>();
	/** Whether writes may have been sent. */
	hasBegun = false;
	private readonly progress = new Map<ProgressList, Map<number, Done>>();

	/** Records what an item has done. */
	record(list: ProgressList, index: number, done: Done): void {
		const byIndex = this.progress.get(list) ?? new Map<number, Done>();
		this.progress.set(list, byIndex.set(index, done));
	}

	/** The outcome of an item, unless there is more to do for it. */
	finished(index: number): ItemResult | undefined {
		const outcome = this.outcomes.get(index);
		return outcome !== undefined && 'records' in outcome && outcome.isPartial ? undefined : outcome;
	}

	/** Adds to the error that stops the execution what was written for `all` items before. */
	describe(error: NodeApiError | NodeOperationError, all: number): Error {
		if (!this.hasBegun || (all < 2 && this.progress.size === 0)) return error;
		const processed = [...this.outcomes.keys()].filter(
			(index) => 'records' in (this.finished(index) ?? {}),
		).length;
		const count = all > 1 ? [`${processed} of ${all} items had already been processed`] : [];
		const named: string[] = [];
		const details: string[] = [];
		for (const [{ key, label }, byIndex] of this.progress) {
			const done = [...byIndex].sort(([one], [other]) => one - other).map(([, each]) => each);
			const ids = done.map(({ engagementId }) => engagementId);
			named.push(`${label}: ${listed(ids, MAX_NAMED)}`);
			error.context[key] = ids as IDataObject[string];
			if (ids.length > MAX_NAMED || done.some(({ link }) => link))
				details.push(`${label}: ${done.map(detailOf).join(', ')}`);
		}
		error.message = [error.message, ...count, ...named].join('. ');
		error.description = [error.description ?? '', ...details]
			.filter((text) => text !== '')
			.join('. ');
		return error;
	}
}

function detailOf({ engagementId, link }: Done): string {
	return link ? `${engagementId} (${toText(link)})` : String(engagementId);
}

/** What an operation remembers of a run, besides the outcomes of its items. */
export class MemorySlot<T extends object> {
	private readonly values = new WeakMap<Memory, T>();

	/** @param create what is remembered at first */
	constructor(private readonly create: () => T) {}

	of(memory: Memory): T {
		const value = this.values.get(memory) ?? this.create();
		this.values.set(memory, value);
		return value;
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
