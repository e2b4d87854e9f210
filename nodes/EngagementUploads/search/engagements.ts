/** The engagements to choose from in the editor. */
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { listEngagements } from '../api/endpoints';
import type { Engagement } from '../api/records';
import { findEngagements } from '../lookups/engagements';
import { simplify } from '../output/simplified';
import type { ServiceClient } from '../transport/client';
import { readList } from '../transport/list';
import { isEmpty } from '../values/text';
import { formatPageToken, openForSearch, parsePageToken } from './paging';

const PAGE_SIZE = 100;
/** Pages that a search by name reads. */
const SEARCHED_PAGES = 10;

/** Engagements by exact external ID, or by part of their name. */
export async function searchEngagements(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await openForSearch(this);
	const wanted = (filter ?? '').trim();
	return wanted === ''
		? await onePage(client, paginationToken)
		: { results: await matching(client, wanted) };
}

async function onePage(client: ServiceClient, token?: string): Promise<INodeListSearchResult> {
	const { page, firstValue } = parsePageToken(token);
	const answer = await client.page(listEngagements({ page, size: PAGE_SIZE }));
	const results = answer.records.map(toEntry);
	const [first] = results;
	// A service that ignores `page` repeats its only page.
	if (first === undefined || first.value === firstValue) return { results: [] };
	const { last, totalPages = Infinity } = answer.page;
	const isLast = last === true || page + 1 >= totalPages;
	const next = formatPageToken({ page: page + 1, firstValue: String(first.value) });
	return { results, paginationToken: isLast ? undefined : next };
}

async function matching(client: ServiceClient, wanted: string): Promise<INodeListSearchItems[]> {
	const [exact, listed] = await Promise.all([
		wanted.includes(',') ? [] : findEngagements(client, wanted),
		readList(client, listEngagements(), { pageSize: PAGE_SIZE, pages: SEARCHED_PAGES }),
	]);
	const named = listed
		.map(toEntry)
		.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
	const entries = [...exact.map(toEntry), ...named];
	return [...new Map(entries.map((entry) => [entry.value, entry])).values()];
}

function toEntry(record: Engagement): INodeListSearchItems {
	const { engagementId, name, smeName, externalEngagementId } = simplify(record, 'engagement', {
		zone: 'UTC',
	});
	const title = name ?? smeName;
	// An ID distinguishes customers with the same name.
	const id = isEmpty(externalEngagementId) ? `ID ${engagementId}` : String(externalEngagementId);
	return {
		name: isEmpty(title) ? id : `${String(title)} (${id})`,
		value: String(engagementId),
	};
}
