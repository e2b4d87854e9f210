/**
 * An operation: its entry in the editor, its fields, and what it does with an item, `read` or `write`. What items
 * share, such as a lookup, is prepared for all of them before, and a wait finishes for all of them after.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../fields/field';
import { ServiceClient } from '../transport/client';
import type { ItemOf } from './item';
import { readItems, resolveItems } from './items';
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
	/** Returns as many outcomes as there are items, unless it throws. */
	run(context: IExecuteFunctions, memory: RetryMemory): Promise<Outcome[]>;
}

interface Definition<F extends Fields, Shared> extends Entry {
	fields: F;
	/** Reads or creates what the items share. Items that it fails are left out. */
	prepare?(items: Array<ItemOf<F>>, run: Run): Shared | Promise<Shared>;
}

interface ReadDefinition<F extends Fields, Shared> {
	/** Reads records for an item. Items are read side by side. */
	read(item: ItemOf<F>, run: Run, shared: Shared): Promise<IDataObject[]>;
}

interface WriteDefinition<F extends Fields, Shared> {
	progress: string;
	/** Writes with the same key keep the order of the items; by default, those to one engagement. */
	keyOf?(item: ItemOf<F>): number | string | undefined;
	write(item: ItemOf<F>, run: Run, shared: Shared): Promise<Outcome>;
	/** Waits for what the writes have started. */
	finish?(shared: Shared, run: Run): Promise<void>;
}

/** Builds an operation from what is special about it, and what all do: read items, look up, add hints. */
export function defineOperation<F extends Fields, Shared = undefined>(
	definition: Definition<F, Shared> & (ReadDefinition<F, Shared> | WriteDefinition<F, Shared>),
): Operation {
	const { fields } = definition;
	return {
		...definition,
		async run(context, memory) {
			const isDone = (index: number) => memory.outcomes.has(index);
			const entered = await readItems(context, fields, isDone);
			const client = await ServiceClient.open(context);
			const run = new Run(context, client, memory);
			for (const [index, error] of entered.errors) run.fail(index, error);
			for (const label of entered.emptied)
				run.addHint(`${label} was not applied where its expression had no value.`);
			run.restore();
			const resolved = await resolveItems(run, entered.items);
			const shared = (await definition.prepare?.(resolved, run)) as Shared;
			const items = resolved.filter(({ index }) => run.outcomes[index] === undefined);
			if ('read' in definition) {
				await run.readEach(items, async (item) => await definition.read(item, run, shared));
			} else {
				const { keyOf = ({ values }) => values.engagementId } = definition;
				await run.writeEach(
					items,
					async (item) => await definition.write(item, run, shared),
					keyOf,
				);
				await definition.finish?.(shared, run);
			}
			run.showHints();
			return run.outcomes;
		},
	};
}
