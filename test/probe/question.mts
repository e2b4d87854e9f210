/** Questions to an account, and what helps to answer them without naming a customer. */
import { parsePlausibleTime } from '../../nodes/EngagementUploads/values/dates.ts';
import type { Account, Row } from './account.mts';

/**
 * Whether it is as assumed (undefined: this account cannot tell), what was seen, which names no customer, and
 * perhaps what the service said.
 */
export type Finding = [holds: boolean | undefined, seen: string, quote?: string];

/** A question; docs/service.md#assumptions says what to do if what is assumed does not hold. */
export interface Question {
	name: string;
	assumed: string;
	find: (account: Account) => Promise<Finding>;
}

const MAX_WORDS = 12;

/** The distinct values, with how often they occur; only their number if they are no words of the service. */
export function words(values: readonly unknown[]): string {
	const counts = new Map<string, number>();
	for (const value of values.map(String)) counts.set(value, (counts.get(value) ?? 0) + 1);
	const all = [...counts];
	const isWord = ([value]: [string, number]) => /^[\w().: -]{1,60}$/.test(value);
	if (all.length > MAX_WORDS || !all.every(isWord)) return `${all.length} different values`;
	return all.map(([value, count]) => `${value} (${count})`).join(', ') || 'none';
}

/** Epoch milliseconds; a time without an offset counts as UTC, since only differences matter. */
export function timeOf(upload: Row, field = 'completionDate'): number | undefined {
	return parsePlausibleTime(upload[field], 'UTC');
}

export const hasDate = (upload: Row) => timeOf(upload) !== undefined;

/** The upload with the latest date, as far as one page shows. */
export async function newest(account: Account, field: string): Promise<Row | undefined> {
	const time = (upload: Row) => timeOf(upload, field) ?? 0;
	const dated = (await account.sorted(`-${field}`)).filter((each) => time(each) > 0);
	return dated.toSorted((one, other) => time(other) - time(one))[0];
}
