/** The engagements to choose from in the editor. */
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { listEngagements } from '../api/endpoints';
import type { Engagement } from '../api/records';
import { simplify } from '../output/simplified';
import type { ServiceClient } from '../transport/client';
import { isAboutRequest } from '../transport/errors';
import { systemClock } from '../values/clock';
import { pages } from '../transport/pages';
import { folded, isEmpty } from '../values/text';
import { readForEditor, sorted } from './editorLists';
import { findEngagements } from './engagementsById';

const PAGE_SIZE = 100;
/** Of a search, which reads many pages; for at most this long (milliseconds), or until so many match. */
const SEARCH_PAGE_SIZE = 500;
const SEARCH_TIME = 30_000;
const ENOUGH = 50;
/** With a text in the search field, n8n goes on only if the user scrolls, for which the list must be long. */
const MIN_SCROLLABLE = 8;
/** The ID breaks ties, since otherwise engagements of one name may change places between pages. */
const SORT = 'name,Id';
const TYPED_ID = /^[1-9]\d{0,14}$/;

/** Where the list is continued when the user scrolls down. */
interface Place {
	page: number;
	/** The first ID on the page before. */
	previous?: string;
	isSorted: boolean;
}

/**
 * Engagements by exact external ID, or by part of what the list shows, such as their name. A whole
 * number is offered as an ID without asking the service for it.
 */
export async function searchEngagements(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const query = (filter ?? '').trim();
	const place = paginationToken === undefined ? undefined : placeOf(paginationToken);
	return await readForEditor(this, async (client) => await search(client, query, place));
}

async function search(
	client: ServiceClient,
	query: string,
	place: Place | undefined,
): Promise<INodeListSearchResult> {
	const [byExternalId, { found, next }] = await Promise.all([
		place === undefined && query !== '' && !query.includes(',')
			? withExternalId(client, query)
			: [],
		scan(client, folded(query), place),
	]);
	const listed = sorted(found);
	const isTyped = place === undefined && TYPED_ID.test(query);
	const typed = isTyped ? { name: `ID ${query}`, value: query } : undefined;
	const byId = typed && [listed.find(({ value }) => value === query) ?? typed];
	const entries = [...byExternalId.map(toEntry), ...(byId ?? []), ...listed];
	const results = [...new Map(entries.map((entry) => [entry.value, entry])).values()];
	if (query !== '' && next !== undefined) {
		// Short, since n8n cuts off what is wider than the list.
		const more =
			results.length < MIN_SCROLLABLE ? 'Enter the External ID.' : 'Scroll down for more.';
		results.push({ name: `Searched part of the list. ${more}`, value: '' });
	}
	return { results, paginationToken: next && tokenOf(next) };
}

/** The engagements with an external ID; none if the service rejects the text, which may be a name. */
async function withExternalId(client: ServiceClient, externalId: string): Promise<Engagement[]> {
	return await findEngagements(client, externalId).catch(ifRefused(async () => []));
}

/** Handles a failure if it may be due to what was requested: a value or a sort field. */
function ifRefused<T>(instead: () => Promise<T>): (error: unknown) => Promise<T> {
	return async (error) => {
		return isAboutRequest(error) ? await instead() : await Promise.reject(error as Error);
	};
}

function tokenOf({ page, isSorted, previous }: Place): string {
	return `${page} ${isSorted ? 'sorted' : 'unsorted'} ${previous}`;
}

function placeOf(token: string): Place {
	const [page, order, ...previous] = token.split(' ');
	return { page: Number(page), isSorted: order === 'sorted', previous: previous.join(' ') };
}

/**
 * The engagements in the next part of the list that contain a text, and where it is continued. A
 * service that cannot sort by these fields sends the list in its own order.
 */
async function scan(
	client: ServiceClient,
	text: string,
	place?: Place,
): Promise<{ found: INodeListSearchItems[]; next?: Place }> {
	if (place !== undefined) return await scanFrom(client, text, place);
	const first = async (isSorted: boolean) => await scanFrom(client, text, { page: 0, isSorted });
	return await first(true).catch(ifRefused(async () => await first(false)));
}

/** Reads one page, or many if a text was entered. */
async function scanFrom(
	client: ServiceClient,
	text: string,
	place: Place,
): Promise<{ found: INodeListSearchItems[]; next?: Place }> {
	const { page: start, previous, isSorted } = place;
	const isSearch = text !== '';
	const until = systemClock.now() + (isSearch ? SEARCH_TIME : 0);
	const found: INodeListSearchItems[] = [];
	let next: Place | undefined = place;
	// At the first page, there is another way if the service fails.
	const options = { retriesServerErrors: !isSorted || start > 0 };
	const request = { ...listEngagements({ orderBy: isSorted ? SORT : undefined }), ...options };
	const plan = isSearch
		? { pageSize: SEARCH_PAGE_SIZE, start }
		: { pageSize: PAGE_SIZE, start, needed: () => 0 };
	const read = async () => {
		for await (const { number, records, response, isLast } of pages(client, request, plan)) {
			const [first = 'none'] = response.records.slice(0, 1).map((record) => toEntry(record).value);
			// A service that ignores the page number repeats its only page.
			if (number === start && first === previous) break;
			found.push(...records.map(toEntry).filter(({ name }) => folded(name).includes(text)));
			if (isLast) break;
			next = { page: number + 1, previous: String(first), isSorted };
			if (found.length >= ENOUGH || systemClock.now() >= until) return;
		}
		next = undefined;
	};
	// What was found before a failure is shown; the user sees the failure when scrolling down.
	await read().catch(async (error: unknown) => {
		if (found.length === 0) await Promise.reject(error as Error);
	});
	return { found, next };
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
