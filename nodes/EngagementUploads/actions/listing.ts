/** What to list for an item, and what its filters show by the end of the list. */
import type { IDataObject } from 'n8n-workflow';
import type { Call } from '../transport/request';
import { InputError } from '../values/inputError';
import { isAbsent } from '../values/text';

export interface Listing<T extends IDataObject = IDataObject> {
	/** The requests that together list everything. */
	requests: Array<Call<T>>;
	/** Applies the filters that the service does not have. */
	matches?(record: T): boolean;
	/** Is called at the end of the list, unless Limit was reached before. @throws InputError */
	atEnd?(): void;
}

/** Notices something about all records that the service returns, and says so at the end of the list. */
export interface Watch {
	see(record: IDataObject): void;
	/** @throws InputError */
	atEnd(): void;
}

/** A listing whose records these watches see, before any filter applies. */
export function watched<T extends IDataObject>(
	{ requests, matches = () => true }: Listing<T>,
	watches: Watch[],
): Listing<T> {
	return {
		requests,
		matches(record) {
			for (const each of watches) each.see(record);
			return matches(record);
		},
		atEnd() {
			for (const each of watches) each.atEnd();
		},
	};
}

/** For a filter by a field that the service may not have: then nothing would match, which reads as if nothing did. */
export function needsValues(field: string, filter: string): Watch {
	let count = 0;
	let hasValue = false;
	return {
		see(record) {
			count++;
			hasValue ||= !isAbsent(record[field]);
		},
		atEnd() {
			if (count === 0 || hasValue) return;
			throw new InputError(
				`The filter ${filter} cannot be applied: none of the records of the service has a value in ${field}`,
				`Remove the filter ${filter}`,
			);
		},
	};
}
