/** What was written before an error stopped the execution, so that every write is reported. */
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { listed } from '../values/inputError';

/** A list of what the writes of an operation have done. */
export interface ProgressList {
	/** in the error's context */
	key: string;
	/** in the error's message */
	label: string;
}

export type EngagementId = number | string;

/** What a write has done. */
interface Done {
	engagementId: EngagementId;
	/** Where the customer must act. */
	link?: string | null;
}

/** Maximum number of IDs in a message; all of them are in the error's details. */
const MAX_NAMED = 100;

/** The messages of errors before progress was added, since attempts may end with the same error. */
const originals = new WeakMap<Error, { message: string; description: string }>();

export class Progress {
	private readonly lists = new Map<ProgressList, Map<number, Done>>();
	private hasBegun = false;

	/** From now on, writes may be sent. */
	begin(): void {
		this.hasBegun = true;
	}

	/** Records what an item has done. */
	record(list: ProgressList, index: number, done: Done): void {
		this.lists.set(list, (this.lists.get(list) ?? new Map<number, Done>()).set(index, done));
	}

	/** Adds to the error that stops the execution how many of `all` items were processed. */
	describe(error: Error, processed: number, all: number): Error {
		if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) return error;
		if (!this.hasBegun || (all < 2 && this.lists.size === 0)) return error;
		const { message, description } = originals.get(error) ?? {
			message: error.message,
			description: error.description ?? '',
		};
		originals.set(error, { message, description });
		const count = all > 1 ? [`${processed} of ${all} items had already been processed`] : [];
		const named: string[] = [];
		const details: string[] = [];
		for (const [{ key, label }, byIndex] of this.lists) {
			const done = [...byIndex].sort(([one], [other]) => one - other).map(([, each]) => each);
			const ids = done.map(({ engagementId }) => engagementId);
			named.push(`${label}: ${listed(ids, MAX_NAMED)}`);
			error.context[key] = ids as IDataObject[string];
			if (ids.length > MAX_NAMED || done.some(({ link }) => link))
				details.push(`${label}: ${done.map(detailOf).join(', ')}`);
		}
		error.message = [message, ...count, ...named].join('. ');
		error.description = [description, ...details].filter((text) => text !== '').join('. ');
		return error;
	}
}

function detailOf({ engagementId, link }: Done): string {
	return link ? `${engagementId} (${link})` : String(engagementId);
}
