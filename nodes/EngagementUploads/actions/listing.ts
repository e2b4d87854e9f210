/** What to list for an item, and what its filters show by the end of the list. */
import type { IDataObject } from 'n8n-workflow';
import type { Call } from '../transport/request';
import { InputError, quote } from '../values/inputError';
import { foldCase, isAbsent } from '../values/text';
import type { Hints } from './hints';

export interface Listing<T extends IDataObject = IDataObject> {
	/** The requests that together list everything. */
	requests: Array<Call<T>>;
	/** Applies the filters that the service does not have. */
	matches?(record: T): boolean;
	/** Is called at the end of the list, unless Limit was reached before. @throws InputError */
	atEnd?(): void;
}

/** What follows from the values that a field has in all records of a list, before any filter applies. */
export interface FieldCheck {
	field: string;
	/** @throws InputError */
	atEnd(values: Set<unknown>): void;
}

/** A listing that makes these checks, of which some may not apply. */
export function withChecks<T extends IDataObject>(
	{ requests, matches = () => true }: Listing<T>,
	...checks: Array<FieldCheck | undefined>
): Listing<T> {
	const seen = checks
		.filter((check) => check !== undefined)
		.map((check) => ({ check, values: new Set<unknown>() }));
	return {
		requests,
		matches(record) {
			for (const { check, values } of seen) values.add(record[check.field]);
			return matches(record);
		},
		atEnd() {
			for (const { check, values } of seen) check.atEnd(values);
		},
	};
}

/** Names external IDs that no record has. */
export const unfoundIds = (ids: string[], hints: Hints): FieldCheck => ({
	field: 'externalEngagementId',
	atEnd(values) {
		const found = new Set([...values].map(foldCase));
		for (const id of ids) if (!found.has(foldCase(id))) hints.add('unfound', quote(id));
	},
});

/** Refuses a filter by a field that no record has: nothing would match it. */
export const needed = (field: string, filter: string): FieldCheck => ({
	field,
	atEnd(values) {
		if (values.size === 0 || ![...values].every(isAbsent)) return;
		throw new InputError(
			`The filter ${filter} cannot be applied: none of the records of the service has a value in ${field}`,
			`Remove the filter ${filter}`,
		);
	},
});
