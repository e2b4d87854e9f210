/**
 * One attempt to run the node: works on the items, and keeps the outcome of each. Invariants: however often
 * n8n retries, a write is sent once, unless the service rejected it or it never arrived; writes with the
 * same key keep the order of the items, and never overlap.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { listConnectors } from '../service/endpoints';
import type { Connector } from '../service/records';
import type { Upload } from '../service/uploadRecords';
import { unclearStatus } from '../service/uploadStatus';
import type { ServiceClient } from '../transport/client';
import { isOutcomeUnknown, nodeError, asUnknownOutcome } from '../transport/errors';
import { inParallel } from '../values/work';
import { readList } from '../transport/pages';
import { quote } from '../values/inputError';
import { groupBy } from '../values/objects';
import { Hints } from './hints';
import type { Outcome, RetryMemory } from './retryMemory';

/** An item, of whichever operation. */
interface Indexed {
	index: number;
}

export class Run {
	/** The outcome of each item so far, by index. */
	readonly outcomes: Outcome[] = [];
	private connectorList: Promise<Connector[]> | undefined;

	constructor(
		readonly context: IExecuteFunctions,
		readonly client: ServiceClient,
		readonly memory: RetryMemory,
	) {
		if (memory.outcomes.size === 0) memory.hints = new Hints();
	}

	get hints(): Hints {
		return this.memory.hints;
	}

	/** Adds a hint if the status of an upload is taken for unfinished because it says nothing else. */
	noteStatus(upload: Upload): void {
		const status = unclearStatus(upload, this.client.zone);
		if (status !== undefined)
			this.hints.add('unclearStatus', quote(this.client.toSafeText(status)));
	}

	/** All connectors, requested once. */
	async connectors(): Promise<Connector[]> {
		this.connectorList ??= readList(this.client, listConnectors());
		return await this.connectorList;
	}

	/**
	 * Sets the outcome of an item that failed. If On Error stops the run, no other request is sent or repeated,
	 * and what those under way return is not used. @throws in this case
	 */
	fail(index: number, error: unknown): void {
		if (!this.context.continueOnFail()) {
			this.client.stop();
			throw nodeError(this.context.getNode(), error, index);
		}
		this.outcomes[index] = { records: [], error };
	}

	/** Reads something for each item, side by side. */
	async readEach<T extends Indexed>(
		items: T[],
		read: (item: T) => Promise<IDataObject[]>,
	): Promise<void> {
		await inParallel(items, this.client.options.parallel, async (item) => {
			try {
				this.outcomes[item.index] = { records: await read(item) };
			} catch (error) {
				this.fail(item.index, error);
			}
		});
	}

	/** Writes something for each item: side by side if On Error continues, but in order for each key. */
	async writeEach<T extends Indexed>(
		items: T[],
		write: (item: T) => Promise<Outcome>,
		toKey: (item: T) => string | number | undefined,
	): Promise<void> {
		const { parallel } = this.client.options;
		const isSerial = !this.context.continueOnFail() || parallel === 1;
		// Writes that must wait for each other are one task. An item without a key is a task of its own.
		const byKey = groupBy(items, (item): unknown => toKey(item) ?? item);
		const groups = isSerial ? [items] : [...byKey.values()];
		this.memory.hasBegun = true;
		await inParallel(groups, parallel, async (group) => {
			for (const item of group) await this.write(item.index, async () => await write(item));
		});
	}

	private async write(index: number, write: () => Promise<Outcome>): Promise<void> {
		try {
			const outcome = await write();
			this.memory.outcomes.set(index, outcome);
			this.outcomes[index] = outcome;
		} catch (caught) {
			const error = asUnknownOutcome(caught);
			if (isOutcomeUnknown(error)) this.memory.outcomes.set(index, { records: [], error });
			this.fail(index, error);
		}
	}
}
