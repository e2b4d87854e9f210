/** Paging for the searchable lists of the editor. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';

/** Maximum number of parallel requests. */
export const PARALLEL = 8;
const TIMEOUT = 30_000;

/** The service, for a list in the editor. */
export async function openForSearch(context: ILoadOptionsFunctions): Promise<ServiceClient> {
	return await ServiceClient.open(context, { parallel: PARALLEL, timeout: TIMEOUT });
}

/** Where a list continues. */
export interface PageToken {
	page: number;
	/** Number of records on previous pages. */
	read: number;
	/** The first value on the previous page. */
	firstValue?: string;
}

/** Parses a token from `formatPageToken`; without one, the list starts from the beginning. */
export function parsePageToken(token = ''): PageToken {
	const [, page, read, firstValue] = /^(\d{1,9}) (\d{1,9}) (.*)$/s.exec(token) ?? [];
	return { page: Number(page ?? 0), read: Number(read ?? 0), firstValue };
}

export function formatPageToken({ page, read, firstValue }: PageToken): string {
	return `${page} ${read} ${firstValue}`;
}
