/**
 * Operations that change something in the service. Invariants: however often n8n retries, a write
 * reaches the service once, unless the service rejected it or it never arrived; writes with the
 * same key keep the order of the items and never overlap.
 */
import type { Item } from '../fields/item';
import { isOutcomeUnknown } from '../transport/failures/errors';
import { mapOrdered } from '../transport/http/pool';
import type { Execution, OperationFields } from './execution';
import type { Outcome, ProgressList, Result } from './memory';
import { implementation, outcomeOf, type Implementation } from './operation';

/** The write of one item. */
export interface Write {
	/** Writes with the same key never overlap; known before anything is written. */
	key?(): Promise<string | undefined>;
	/** Remembers an unknown outcome itself, and sends nothing in the next attempt. */
	resumes?: boolean;
	run(): Promise<Result>;
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
	const { client, context, memory } = execution;
	const prepared = await execution.prepare<Write>((item) => {
		const kept = memory.outcomes.get(item.index);
		return kept === undefined ? prepare(item) : { run: async () => await fromMemory(kept) };
	});
	const keyOf = async (writeOf: () => Write) => await writeOf().key?.();
	// The write itself reports a key that cannot be looked up.
	const keys = await Promise.all(
		prepared.map(async (writeOf) => await keyOf(writeOf).catch(() => undefined)),
	);
	memory.hasBegun = true;
	const isSerial = !context.continueOnFail() || client.options.parallel === 1;
	const outcomes = new Array<Outcome>(prepared.length);
	// Writes with one key are one task, so that a write that must wait does not occupy a slot. Writes
	// that run one after the other are all one task.
	const groups = groupByKey(isSerial ? keys.fill('') : keys);
	await mapOrdered(groups, client.options.parallel, async (group) => {
		for (const index of group)
			outcomes[index] = await runWrite(execution, done, prepared[index] as () => Write, index);
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

async function fromMemory(kept: Outcome): Promise<Result> {
	return 'error' in kept ? await Promise.reject(kept.error) : kept;
}

async function runWrite(
	execution: Execution,
	done: ProgressList,
	writeOf: () => Write,
	index: number,
): Promise<Outcome> {
	const { memory } = execution;
	const isFinal = (error: unknown) => isOutcomeUnknown(error) && writeOf().resumes !== true;
	const run = async () => {
		const result = await writeOf().run();
		if (result.done !== undefined) memory.record(done, index, result.done);
		memory.outcomes.set(index, result);
		return result;
	};
	return await outcomeOf(execution, index, run, isFinal);
}
