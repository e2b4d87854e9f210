/**
 * An operation: its entry in the editor, its fields, and what it does. Most operations define `read`, `list`
 * or `write` for one item; those whose items share requests define `readTogether`, and those whose items wait
 * together `execute`. Options are about what the operation itself requests, so lookups before it take none,
 * except with `readTogether`.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { KindName } from '../service/records';
import type { Fields, Values } from '../fields/field';
import { defaultOptions, type RequestOptions } from '../fields/options';
import { ServiceClient } from '../transport/client';
import { readLists } from '../transport/pages';
import { groupBy } from '../values/objects';
import { inParallel } from '../values/work';
import type { ItemOf, OperationFields } from './item';
import { readItems, resolveItems, type ReadItem } from './items';
import type { Listing } from './listing';
import type { Outcome, RetryMemory } from './retryMemory';
import { Run } from './run';

/** Its place in the editor: the lists Resource and Operation. */
interface Entry {
	resource: string;
	operation: string;
	name: string;
	action: string;
	description: string;
}

/** An operation, ready to run. */
export interface Operation extends Entry {
	fields: Fields;
	/** Introduces the engagements that were written to, in the error that stops a run. */
	progress?: string;
	/** What a retry of the execution would do to them. */
	onRetry?: string;
	/** Returns as many outcomes as there are items, unless it throws. */
	run(context: IExecuteFunctions, memory: RetryMemory): Promise<Outcome[]>;
}

/** Reads something for each item, side by side. */
interface ReadDefinition<F extends OperationFields> {
	read(item: ItemOf<F>, run: Run): Promise<IDataObject[]>;
}

/** Reads lists of records, up to the item's Limit. */
interface ListDefinition<F extends OperationFields> {
	kind: KindName;
	list(item: ItemOf<F>, run: Run): Listing | Promise<Listing>;
}

interface WriteDefinition<F extends OperationFields> {
	progress: string;
	/** Writes to one engagement keep the order of the items. */
	write(item: ItemOf<F>, run: Run): Promise<Outcome>;
}

/** Reads something for all items with the same options together, and sets the outcome of each. */
interface SharedReadDefinition<F extends OperationFields> {
	readTogether(items: Array<ItemOf<F>>, options: Values<F>['options'], run: Run): Promise<void>;
}

/** Acts on all items together, and sets the outcome of each. */
interface BatchDefinition<F extends OperationFields> {
	/** Only for an operation that writes. */
	progress?: string;
	onRetry?: string;
	execute(items: Array<ItemOf<F>>, run: Run): Promise<void>;
}

type Definition<F extends OperationFields> = Entry & {
	fields: F;
	/** Checks whether the fields fit together. @throws InputError */
	check?(values: Values<F>, isExpression: (name: keyof F & string) => boolean): void;
} & (
		| ReadDefinition<F>
		| ListDefinition<F>
		| WriteDefinition<F>
		| SharedReadDefinition<F>
		| BatchDefinition<F>
	);

/** Builds an operation from what is special about it, and what all do: read items, look up, add hints. */
export function defineOperation<F extends OperationFields>(definition: Definition<F>): Operation {
	const { fields, check = () => {} } = definition;
	return {
		...definition,
		async run(context, memory) {
			const isDone = (index: number) => memory.outcomes.has(index);
			const entered = await readItems(context, fields, isDone, check);
			const { items } = entered;
			const run = new Run(context, await openClient(context, items), memory);
			for (const [index, error] of entered.errors) run.fail(index, error);
			for (const [index, kept] of memory.outcomes) {
				if ('error' in kept) run.fail(index, kept.error);
				else run.outcomes[index] = kept;
			}
			for (const label of entered.emptyFilters) run.hints.add('emptyFilter', label);
			for (const id of entered.externalIds) memory.externalIds.add(id);
			await execute(definition, items, run);
			context.addExecutionHints(...run.hints.all);
			return run.outcomes;
		},
	};
}

/** Opens the service. All items share one limit of parallel requests: the lowest that any of them has. */
async function openClient<F extends OperationFields>(
	context: IExecuteFunctions,
	items: Array<ReadItem<F>>,
): Promise<ServiceClient> {
	const options: RequestOptions[] = items.map(({ values }) => values.options);
	const limits = [defaultOptions, ...options].map((each) => each.parallelRequests);
	const { timeout } = options[0] ?? defaultOptions;
	// As a set, since there may be more items than a function can have arguments.
	return await ServiceClient.open(context, { parallel: Math.min(...new Set(limits)), timeout });
}

async function readTogether<F extends OperationFields>(
	definition: SharedReadDefinition<F>,
	items: Array<ReadItem<F>>,
	run: Run,
): Promise<void> {
	const groups = groupBy(items, ({ values }) => JSON.stringify(values.options)).values();
	await inParallel([...groups], items.length, async (alike) => {
		const { options }: Values<F> = alike[0].values;
		// The lookup takes the options too, since it may be the only request.
		await definition.readTogether(await resolveItems(run, alike, options), options, run);
	});
}

async function execute<F extends OperationFields>(
	definition: Definition<F>,
	entered: Array<ReadItem<F>>,
	run: Run,
): Promise<void> {
	if ('readTogether' in definition) return await readTogether(definition, entered, run);
	const items = await resolveItems(run, entered);
	if ('execute' in definition) {
		await definition.execute(items, run);
	} else if ('write' in definition) {
		const write = async (item: ItemOf<F>) => await definition.write(item, run);
		await run.writeEach(items, write, ({ values }) => values.engagementId);
	} else if ('list' in definition) {
		await run.readEach(items, async (item) => await readListing(definition, item, run));
	} else {
		await run.readEach(items, async (item) => await definition.read(item, run));
	}
}

/** The values of an operation that lists records. */
interface ListValues {
	limit?: number;
	options: RequestOptions & { pageSize?: number };
}

async function readListing<F extends OperationFields>(
	{ kind, list }: ListDefinition<F>,
	item: ItemOf<F>,
	run: Run,
): Promise<IDataObject[]> {
	const { limit = Infinity, options }: ListValues = item.values;
	const { requests, matches, atEnd } = await list(item, run);
	const records = await readLists(run.client, requests, {
		pageSize: options.pageSize,
		limit,
		matches,
		map: (record) => item.output(record, kind),
		onShift: () => run.hints.add('listChanged', `${kind}s`),
	});
	if (records.length < limit) atEnd?.();
	return records;
}
