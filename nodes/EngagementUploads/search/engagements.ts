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
import { isRefusal } from '../transport/errors';
import { isEmpty } from '../values/text';
import { formatPageToken, openForSearch, PARALLEL, parsePageToken, type PageToken } from './paging';

const PAGE_SIZE = 100;
/** Maximum number of pages that a search by name reads before it shows its results. */
const SEARCHED_PAGES = 100;
/** A search stops after this many matches. */
const ENOUGH = 50;

/**
 * Engagements by exact ID or external ID, or by part of what the list shows, such as their name.
 */
export async function searchEngagements(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await openForSearch(this);
	const query = (filter ?? '').trim();
	const start = parsePageToken(paginationToken);
	if (query === '') return resultOf(await scan(client, start, 1, () => true));
	const isExact = start.page === 0;
	const [byExternalId, byId, named] = await Promise.all([
		isExact && !query.includes(',') ? findEngagements(client, query) : [],
		isExact ? findById(client, query) : [],
		scan(
			client,
			start,
			SEARCHED_PAGES,
			({ name, value }) => value === query || name.toLowerCase().includes(query.toLowerCase()),
		),
	]);
	const { results, paginationToken: next } = resultOf(named);
	const entries = [...byExternalId.map(toEntry), ...byId.map(toEntry), ...results];
	const distinct = [...new Map(entries.map((entry) => [entry.value, entry])).values()];
	if (next === undefined) return { results: distinct };
	// Short, since n8n cuts off what is wider than the list.
	const note = `Searched ${named.next?.read} engagements so far. Scroll down for more.`;
	return { results: [...distinct, { name: note, value: '' }], paginationToken: next };
}

/** Results from some pages, and where the next ones begin. */
interface Scan {
	found: INodeListSearchItems[];
	next?: PageToken;
}

function resultOf({ found, next }: Scan): INodeListSearchResult {
	return { results: found, paginationToken: next && formatPageToken(next) };
}

async function scan(
	client: ServiceClient,
	start: PageToken,
	maxPages: number,
	matches: (entry: INodeListSearchItems) => boolean,
): Promise<Scan> {
	const found: INodeListSearchItems[] = [];
	let { page, read, firstValue } = start;
	let knownPages = page + 1;
	while (page < start.page + maxPages && found.length < ENOUGH) {
		const end = Math.min(page + PARALLEL, knownPages, start.page + maxPages);
		const pages = Array.from({ length: end - page }, (_, index) => page + index);
		for (const response of await Promise.all(
			pages.map(async (each) => await fetch(client, each)),
		)) {
			const entries = response.records.map(toEntry);
			const first = entries[0]?.value;
			// A service that ignores `page` repeats its only page.
			if (first === undefined || first === firstValue) return { found };
			found.push(...entries.filter(matches));
			firstValue = String(first);
			read += entries.length;
			page += 1;
			const { last, totalPages = Infinity } = response.page;
			if (last === true || page >= totalPages) return { found };
			knownPages = totalPages === Infinity ? page + 1 : totalPages;
		}
	}
	return { found, next: { page, read, firstValue } };
}

async function fetch(client: ServiceClient, page: number, orderBy?: string) {
	return await client.page(listEngagements({ page, size: PAGE_SIZE, orderBy }));
}

/** The engagement with an ID, found by bisection; gives up if the service does not sort by ID. */
async function findById(client: ServiceClient, query: string): Promise<Engagement[]> {
	if (!/^[1-9]\d{0,15}$/.test(query)) return [];
	let [low, high] = [0, Infinity];
	for (let page = 0; low <= high; page = Math.floor((low + high) / 2)) {
		const response = await fetch(client, page, 'Id').catch((error: unknown) =>
			isRefusal(error) ? undefined : Promise.reject(error),
		);
		const ids = response?.records.map((record) => Number(toEntry(record).value)) ?? [];
		const at = ids.indexOf(Number(query));
		if (at >= 0) return response?.records.slice(at, at + 1) ?? [];
		const [first = NaN, last = NaN] = [ids[0], ids.at(-1)];
		if (ids.some((id, index) => id <= (ids[index - 1] ?? 0))) return [];
		if (high === Infinity) high = (response?.page.totalPages ?? 1) - 1;
		if (Number(query) < first) high = page - 1;
		else if (Number(query) > last) low = page + 1;
		else return [];
	}
	return [];
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
