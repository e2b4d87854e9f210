/** What was written before an error stopped the execution, so that every write is reported. */
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';

/** Labels of the lists of engagements; the keys are those of the error's context. */
const labels = {
	createdEngagements: 'Engagements created',
	scheduledEngagements: 'Schedules set for engagements',
	startedUploads: 'Uploads started for engagements',
	startedRefreshes: 'Refreshes started for engagements',
	completedRefreshes: 'Refreshes completed for engagements',
} as const;

export type ProgressKey = keyof typeof labels;
export type EngagementId = number | string;

/** Maximum number of IDs in a message; all of them are in the error's details. */
const MAX_NAMED = 100;

/** The messages of errors before progress was added, since attempts may end with the same error. */
const originals = new WeakMap<Error, { message: string; description: string }>();

export class Progress {
	private readonly engagements = new Map<ProgressKey, Map<number, EngagementId>>();
	private readonly processed = new Set<number>();
	private hasBegun = false;

	/** From now on, writes may be sent. */
	begin(): void {
		this.hasBegun = true;
	}

	/** Marks an item as processed. */
	add(index: number): void {
		this.processed.add(index);
	}

	/** Marks an item as not processed after all. */
	remove(index: number): void {
		this.processed.delete(index);
	}

	/** Records the engagement that an item wrote to. */
	recordEngagement(key: ProgressKey, index: number, id: EngagementId): void {
		this.engagements.set(key, (this.engagements.get(key) ?? new Map()).set(index, id));
	}

	/** Adds to the error that stops the execution how many of `all` items were processed. */
	describe(error: Error, all: number): Error {
		if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) return error;
		if (!this.hasBegun || (all < 2 && this.engagements.size === 0)) return error;
		const { message, description } = originals.get(error) ?? {
			message: error.message,
			description: error.description ?? '',
		};
		originals.set(error, { message, description });
		const lists = this.lists();
		const done =
			all > 1 ? [`${this.processed.size} of ${all} items had already been processed`] : [];
		error.message = [message, ...done, ...lists.map(({ named }) => named)].join('. ');
		const rest = lists.flatMap((list) => list.rest ?? []);
		error.description = [description, ...rest].filter((text) => text !== '').join('. ');
		for (const { key, ids } of lists) error.context[key] = ids;
		return error;
	}

	private lists() {
		return [...this.engagements].map(([key, byIndex]) => {
			const ids = [...byIndex].sort(([one], [other]) => one - other).map(([, id]) => id);
			const more = ids.length - MAX_NAMED;
			const named = `${labels[key]}: ${ids.slice(0, MAX_NAMED).join(', ')}`;
			return {
				key,
				ids: ids as IDataObject[string],
				named: more > 0 ? `${named} and ${more} more` : named,
				rest: more > 0 ? `${labels[key]}: ${ids.join(', ')}` : undefined,
			};
		});
	}
}
