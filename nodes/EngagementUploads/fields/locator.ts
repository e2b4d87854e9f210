/** What the resource locators have in common: their value, and the lists behind them. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { isObject } from '../transport/answers';
import { ServiceClient } from '../transport/client';

const MOST_AT_ONCE = 8;
const TIMEOUT = 30_000;

/** The mode and value of a locator; a plain value, as expressions give it, is in `plainMode`. */
export function locatorOf(value: unknown, plainMode: string): { mode: string; value: unknown } {
	if (!isObject(value)) return { mode: plainMode, value };
	return { mode: String(value.mode ?? plainMode), value: value.value };
}

/** The service for a list in the editor. */
export async function openForSearch(context: ILoadOptionsFunctions): Promise<ServiceClient> {
	return await ServiceClient.open(context, { parallel: MOST_AT_ONCE, timeout: TIMEOUT });
}

/** Where a list goes on: its next page, and the value that the page before it began with. */
export interface PageToken {
	page: number;
	begin?: string;
}

/** Reads what `printedToken` wrote; without a token a list begins. */
export function pageToken(token = ''): PageToken {
	const [page, begin] = token.split(' ', 2);
	return { page: /^\d{1,9}$/.test(page ?? '') ? Number(page) : 0, begin };
}

export function printedToken({ page, begin }: PageToken): string {
	return `${page} ${begin}`;
}

/** Each entry once. */
export function searchRoom<T extends { value: string }>(entries: T[]): T[] {
	return [...new Map(entries.map((entry) => [entry.value, entry])).values()];
}
