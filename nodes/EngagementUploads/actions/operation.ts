/**
 * An operation: its entry in the editor, its fields, and what it does with all input items: it
 * `reads`, `lists` or `writes`. The parameters of every item are read and validated before the first
 * request, so that invalid input costs nothing. Invariants of writes: however often n8n retries, a
 * write reaches the service once, unless the service rejected it or it never arrived; writes with
 * the same key keep the order of the items and never overlap.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { KindName } from '../api/records';
import type { Field, Fields } from '../fields/field';
import type { Item } from '../fields/item';
import type { RequestOptions } from '../fields/options';
import type { output } from '../fields/output';
import type { paging } from '../fields/paging';
import { isOutcomeUnknown, nodeError, asUnknownOutcome } from '../transport/errors';
import { mapOrdered } from '../transport/limiter';
import { inSlices } from '../values/clock';
import { readLists } from '../transport/pages';
import type { ApiRequest } from '../transport/request';
import { Execution, type OperationFields } from './execution';
import type { ItemResult, Memory, ProgressList, Result } from './memory';

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
	execute(context: IExecuteFunctions, memory: Memory): Promise<ItemResult[]>;
}

/** What an operation does, with the values of its fields. */
type Implementation = Pick<Operation, 'fields' | 'execute'>;

export function implementation<F extends OperationFields>(
	fields: F,
	run: (execution: Execution<F>) => Promise<ItemResult[]>,
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
		const tasks = [...(await execution.prepare(prepare(execution))).values()];
		const { parallel } = execution.client.options;
		return await mapOrdered(tasks, parallel, async (taskOf, index) => {
			return await outcomeOf(execution, index, async () => ({ records: await taskOf()() }));
		});
	});
}

/** What to list for an item whose parameters are valid. */
export interface Listing<T extends IDataObject> {
	/** The requests that together list everything. */
	requests: Array<ApiRequest<T>>;
	/** Applies the filters that the service does not have. */
	matches?(record: T): boolean;
	/** For records that do not name their engagement. */
	engagementId?: number;
}

type ListFields = ReturnType<typeof output> &
	typeof paging & {
		filters?: Field<object>;
		/** Without Page Size if the endpoint has no page parameters. */
		options: Field<RequestOptions & { pageSize?: number }>;
	};

/**
 * An operation that lists records of one kind. `prepare` validates what it lists; its result looks
 * up engagement and connector if needed.
 */
export function lists<F extends ListFields, T extends IDataObject>(
	kind: KindName,
	fields: F,
	prepare: (item: Item<F>, execution: Execution<F>) => () => Promise<Listing<T>>,
): Implementation {
	return reads(fields, (execution) => (item) => {
		const listing = prepare(item, execution);
		const { limit, filters = {}, options } = item.values;
		const { pageSize } = options;
		const toOutput = execution.outputMapper(item.values, kind);
		const isFiltered = Object.values(filters).some((each) => each !== undefined);
		return async () => {
			const { requests, matches, engagementId } = await listing();
			const map = (record: T) => toOutput(record, engagementId);
			const list = { pageSize, limit, matches, map };
			const records = await readLists(execution.client, requests, list);
			if (records.length === 0 && isFiltered) execution.hints.add('nothingMatched', item.index);
			return records;
		};
	});
}

/** The write of one item. */
export interface Write {
	/** Writes with the same key never overlap; known before anything is written. */
	key?(): Promise<string | undefined>;
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

/**
 * Prepares and runs the writes of all items, except those done by an earlier attempt. `begin` runs
 * before the first of them, when all keys are known.
 */
export async function runWrites<F extends OperationFields>(
	execution: Execution<F>,
	done: ProgressList,
	prepare: (item: Item<F>) => Write,
	begin?: () => Promise<void>,
): Promise<ItemResult[]> {
	const { client, context, memory } = execution;
	const prepared = await execution.prepare(prepare);
	// Those of an earlier attempt come first, since the error of one may stop the execution.
	const writes = new Map([...resumed(memory), ...prepared]);
	const keys = new Map<number, string | undefined>();
	for await (const [index, writeOf] of inSlices(writes)) {
		const key = async () => await writeOf().key?.();
		// The write itself reports a key that cannot be looked up.
		keys.set(index, await key().catch(() => undefined));
	}
	memory.hasBegun = true;
	await begin?.();
	const isSerial = !context.continueOnFail() || client.options.parallel === 1;
	const results = new Array<ItemResult>(writes.size);
	// Writes with one key are one task, so that a write that must wait does not occupy a slot. Writes
	// that run one after the other are all one task.
	const groups = isSerial ? [[...writes.keys()]] : groupByKey(keys);
	await mapOrdered(groups, client.options.parallel, async (group) => {
		for (const index of group) {
			const writeOf = writes.get(index);
			if (writeOf !== undefined) results[index] = await runWrite(execution, done, writeOf, index);
		}
	});
	return results;
}

/** The results of earlier attempts, as if they were writes. */
function* resumed({ outcomes }: Memory): Generator<[number, () => Write]> {
	for (const [index, kept] of outcomes)
		yield [index, () => ({ run: async () => await fromMemory(kept) })];
}

/** The indices of items with the same key, in order; an item without a key is alone. */
function groupByKey(keys: Map<number, string | undefined>): number[][] {
	const groups = new Map<string | number, number[]>();
	for (const [index, key = index] of keys) {
		const group = groups.get(key) ?? [];
		groups.set(key, group);
		group.push(index);
	}
	return [...groups.values()];
}

async function fromMemory(kept: ItemResult): Promise<Result> {
	return 'error' in kept ? await Promise.reject(kept.error) : kept;
}

async function runWrite(
	execution: Execution,
	done: ProgressList,
	writeOf: () => Write,
	index: number,
): Promise<ItemResult> {
	const { memory } = execution;
	const run = async () => {
		const result = await writeOf()
			.run()
			.catch(async (error: unknown) => await Promise.reject(asUnknownOutcome(error) as Error));
		if (result.done !== undefined) memory.record(done, index, result.done);
		memory.outcomes.set(index, result);
		return result;
	};
	return await outcomeOf(execution, index, run, isOutcomeUnknown);
}

/**
 * The outcome of an item. A failure becomes its outcome if On Error says so; otherwise it stops the
 * execution. What is final is also the outcome of all later attempts.
 */
export async function outcomeOf(
	execution: Execution,
	index: number,
	run: () => Promise<ItemResult>,
	isFinal: (error: unknown) => boolean = () => false,
): Promise<ItemResult> {
	try {
		return await run();
	} catch (error) {
		const failed = { error };
		if (isFinal(error)) execution.memory.outcomes.set(index, failed);
		if (execution.context.continueOnFail()) return failed;
		execution.client.stop();
		throw nodeError(execution.context.getNode(), error, index);
	}
}
