/**
 * One attempt to run the node: works on the items, and keeps the outcome of each. Invariants: however often
 * n8n retries, a write is sent once, unless the service rejected it or it never arrived; writes with the
 * same key keep the order of the items, and never overlap.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Upload } from '../service/uploadRecords';
import { readOutcome, unclearStatus, type UploadOutcome } from '../service/uploadStatus';
import type { ServiceClient } from '../transport/client';
import { asUnknownOutcome, isOutcomeUnknown, nodeError, rethrow } from '../transport/errors';
import { inParallel } from '../values/work';
import { quote } from '../values/inputError';
import { groupBy } from '../values/objects';
import type { Outcome, RetryMemory } from './retryMemory';

/** Maximum number of hints, each of which n8n shows above the output. */
const MAX_HINTS = 10;

/** An item, of whichever operation. */
interface Indexed {
	index: number;
}

export class Run {
	/** The outcome of each item so far, by index. */
	readonly outcomes: Outcome[] = [];
	private readonly hints = new Set<string>();
	/** The writes that items share, by what they write to. */
	private readonly shared = new Map<string, Promise<IDataObject>>();

	constructor(
		readonly context: IExecuteFunctions,
		readonly client: ServiceClient,
		private readonly memory: RetryMemory,
	) {}

	/** Returns the outcomes of an earlier attempt as they were. */
	restore(): void {
		for (const [index, kept] of this.memory.outcomes) {
			if ('error' in kept) this.fail(index, kept.error);
			else this.outcomes[index] = kept;
		}
	}

	/** How an upload ended, if it has. A hint names a status that says nothing about that. */
	outcomeOf(upload: Upload): UploadOutcome {
		const { client } = this;
		const unclear = unclearStatus(upload, client.zone);
		if (unclear !== undefined)
			this.addHint(
				`The status ${quote(client.toSafeText(unclear))} says neither that an upload completed, nor that it failed or is in progress. Uploads with it count as unfinished.`,
			);
		return readOutcome(upload, client.zone);
	}

	addHint(message: string): void {
		this.hints.add(message);
	}

	/** Shows the hints of the operation, and of the lists that it has read. */
	showHints(): void {
		const messages = [...this.hints, ...this.client.notices].slice(0, MAX_HINTS);
		this.context.addExecutionHints(
			...messages.map((message) => ({ message, location: 'outputPane' as const })),
		);
	}

	/**
	 * Sets the outcome of an item that failed. If On Error stops the run, no other request is sent or repeated,
	 * and what those under way return is not used. @throws in this case
	 */
	fail(index: number, error: unknown): void {
		if (!this.context.continueOnFail()) {
			this.client.stop();
			throw nodeError(this.context.getNode(), error, nameItem(this.context, index));
		}
		this.outcomes[index] = { records: [], error };
	}

	/** Fails an item if a check fails. @throws if On Error stops the run */
	check(index: number, check: () => void): void {
		try {
			check();
		} catch (error) {
			this.fail(index, error);
		}
	}

	/** Sets the outcome of an item that another attempt must not write again. */
	keep(index: number, outcome: Outcome): void {
		this.memory.outcomes.set(index, outcome);
		this.outcomes[index] = outcome;
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
		await inParallel(groups, parallel, async (group) => {
			for (const item of group) await this.write(item.index, async () => await write(item));
		});
	}

	/** Whether an earlier attempt carried out a write that items share. */
	isFromEarlier(key: string): boolean {
		return this.memory.shared.has(key) && !this.shared.has(key);
	}

	/**
	 * Carries out a write that several items share: once in all attempts, unless it was refused. All of them get the
	 * result of this attempt.
	 */
	async writeOnce(key: string, write: () => Promise<IDataObject>): Promise<IDataObject> {
		const writing = this.memory.shared.get(key) ?? this.shared.get(key) ?? write();
		this.shared.set(key, writing);
		try {
			const record = await writing;
			this.memory.shared.set(key, writing);
			return record;
		} catch (error) {
			if (isOutcomeUnknown(asUnknownOutcome(error))) this.memory.shared.set(key, writing);
			rethrow(error);
		}
	}

	private async write(index: number, write: () => Promise<Outcome>): Promise<void> {
		try {
			this.keep(index, await write());
		} catch (caught) {
			const error = asUnknownOutcome(caught);
			if (isOutcomeUnknown(error)) this.memory.outcomes.set(index, { records: [], error });
			this.fail(index, error);
		}
	}
}

/** The index of an item, for messages; undefined for the only one. */
export function nameItem(context: IExecuteFunctions, index: number): number | undefined {
	return context.getInputData().length > 1 ? index : undefined;
}
