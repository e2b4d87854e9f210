/**
 * Operations that change something in the service. Invariants: however often n8n retries, a write
 * reaches the service once, unless the service rejected it or it never arrived; writes with the
 * same key keep the order of the items and never overlap.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../fields/item';
import { forItem, isOutcomeUnknown } from '../transport/failures/errors';
import { mapOrdered } from '../transport/http/pool';
import type { Execution, OperationFields } from './execution';
import type { Outcome } from './memory';
import { implementation, outcomeOf, type Implementation } from './operation';
import type { EngagementId, ProgressList } from './progress';

/** The result of a write. */
export interface Written {
	records: IDataObject[];
	/** The engagement that was written to; undefined if nothing was written after all. */
	engagementId?: EngagementId;
	/** Where the customer must act; an error that stops the execution contains it. */
	link?: string | null;
	/** The item is not finished yet; the operation remembers its outcome itself. */
	isPending?: boolean;
}

/** The write of one item. */
export interface Write {
	/** Writes with the same key never overlap; known before anything is written. */
	key?(): Promise<string | undefined>;
	/** Remembers an unknown outcome itself, and sends nothing in the next attempt. */
	resumes?: boolean;
	run(): Promise<Written>;
}

/** An operation that writes; `done` is the list of what its writes have done. */
export function writes<F extends OperationFields>(
	done: ProgressList,
	fields: F,
	prepare: (item: Item<F>, execution: Execution<F>) => Write,
): Implementation {
	return implementation(
		fields,
		async (execution) => await runWrites(execution, done, (item) => prepare(item, execution)),
	);
}

/** Prepares and runs the writes of all items, except those done by an earlier attempt. */
export async function runWrites<F extends OperationFields>(
	execution: Execution<F>,
	done: ProgressList,
	prepare: (item: Item<F>) => Write,
): Promise<Outcome[]> {
	const { client, continuesOnFail, memory } = execution;
	const prepared = await execution.prepare<Write>(
		(item) => {
			const kept = memory.outcomes.get(item.index);
			return kept === undefined ? prepare(item) : { run: async () => await fromMemory(kept) };
		},
		(failure) => ({ run: async () => await Promise.reject(failure) }),
	);
	// The write itself reports a key that cannot be looked up.
	const keys = await Promise.all(
		prepared.map(async (write: Write) => await write.key?.().catch(() => undefined)),
	);
	memory.progress.begin();
	const run = async (write: Write, index: number) => await runWrite(execution, done, write, index);
	if (!continuesOnFail || client.options.parallel === 1) return await mapOrdered(prepared, 1, run);

	// Writes with one key are one task, so that a write that must wait does not occupy a slot.
	const outcomes = new Array<Outcome>(prepared.length);
	await mapOrdered(groupByKey(keys), client.options.parallel, async (group) => {
		for (const index of group) outcomes[index] = await run(prepared[index] as Write, index);
	});
	return outcomes;
}

/** The indices of items with the same key, in order; an item without a key is alone. */
function groupByKey(keys: Array<string | undefined>): number[][] {
	const groups = new Map<string | number, number[]>();
	for (const [index, key = index] of keys.entries()) {
		const group = groups.get(key) ?? [];
		groups.set(key, group);
		group.push(index);
	}
	return [...groups.values()];
}

async function fromMemory(kept: Outcome): Promise<Written> {
	return 'error' in kept ? await Promise.reject(kept.error) : kept;
}

async function runWrite(
	execution: Execution,
	done: ProgressList,
	write: Write,
	index: number,
): Promise<Outcome> {
	const { memory } = execution;
	return await outcomeOf(execution, index, async () => {
		const written = await write.run().catch(async (error: unknown) => {
			if (isOutcomeUnknown(error) && write.resumes !== true)
				memory.outcomes.set(index, { error: forItem(error, index, execution.context.getNode()) });
			return await Promise.reject(error as Error);
		});
		const { records, engagementId, link, isPending = false } = written;
		if (engagementId !== undefined) memory.progress.record(done, index, { engagementId, link });
		if (!isPending) memory.outcomes.set(index, { records });
		return records;
	});
}
