/** What the searchable lists of the editor have in common. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';

const PARALLEL = 8;
const TIMEOUT = 30_000;

/** The service, for a list in the editor. */
export async function openForSearch(context: ILoadOptionsFunctions): Promise<ServiceClient> {
	return await ServiceClient.open(context, { parallel: PARALLEL, timeout: TIMEOUT });
}

/** Where a list goes on: its next page, and the value that the page before it began with. */
export interface PageToken {
	page: number;
	firstValue?: string;
}

/** Reads what `formatPageToken` wrote; without a token a list begins. */
export function parsePageToken(token = ''): PageToken {
	const [page, firstValue] = token.split(' ', 2);
	return { page: /^\d{1,9}$/.test(page ?? '') ? Number(page) : 0, firstValue };
}

export function formatPageToken({ page, firstValue }: PageToken): string {
	return `${page} ${firstValue}`;
}
