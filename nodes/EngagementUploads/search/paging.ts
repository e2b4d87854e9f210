/** What the searchable lists of the editor share. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';

const PARALLEL = 8;
const TIMEOUT = 30_000;

/** The service, for a list in the editor. */
export async function openForSearch(context: ILoadOptionsFunctions): Promise<ServiceClient> {
	return await ServiceClient.open(context, { parallel: PARALLEL, timeout: TIMEOUT });
}

/** Where a list continues: its next page, and the first value of the previous page. */
export interface PageToken {
	page: number;
	firstValue?: string;
}

/** Reads what `formatPageToken` wrote; without a token, the list starts at the beginning. */
export function parsePageToken(token = ''): PageToken {
	const [page, firstValue] = token.split(' ', 2);
	return { page: /^\d{1,9}$/.test(page ?? '') ? Number(page) : 0, firstValue };
}

export function formatPageToken({ page, firstValue }: PageToken): string {
	return `${page} ${firstValue}`;
}
