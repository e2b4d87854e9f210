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
import { isRejected } from '../transport/failures/errors';
import { pages } from '../transport/lists/pages';
import { isEmpty } from '../values/text';
import { openForSearch, sorted } from './editorLists';
import { findEngagements } from './engagementsById';

const PAGE_SIZE = 100;
/** A search reads at most this many pages before it shows its results. */
const SEARCHED_PAGES = 100;
/** A search stops after this many matches. */
const ENOUGH = 50;
/** The ID breaks ties, since otherwise engagements of one name may change places between pages. */
const SORT = 'name,Id';
const TYPED_ID = /^[1-9]\d{0,14}$/;

/**
 * Engagements by exact external ID, or by part of what the list shows, such as their name. A whole
 * number is offered as an ID without asking the service for it.
 */
export async function searchEngagements(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await openForSearch(this);
	const query = (filter ?? '').trim();
	const isFirst = paginationToken === undefined;
	const searched = async (orderBy?: string) =>
		await scan(client, query.toLowerCase(), paginationToken, orderBy);
	const [byExternalId, { found, next }] = await Promise.all([
		isFirst && query !== '' && !query.includes(',') ? withExternalId(client, query) : [],
		unlessRejected(searched(SORT), searched),
	]);
	const listed = sorted(found);
	const typed = isFirst && TYPED_ID.test(query) ? { name: `ID ${query}`, value: query } : undefined;
	const byId = typed && [listed.find(({ value }) => value === query) ?? typed];
	const entries = [...byExternalId.map(toEntry), ...(byId ?? []), ...listed];
	const results = [...new Map(entries.map((entry) => [entry.value, entry])).values()];
	// Short, since n8n cuts off what is wider than the list.
	if (query !== '' && next !== undefined)
		results.push({ name: 'Searched part of the list. Scroll down for more.', value: '' });
	return { results, paginationToken: next };
}

/** The engagements with an external ID; none if the service rejects the text, which may be a name. */
async function withExternalId(client: ServiceClient, externalId: string): Promise<Engagement[]> {
	return await unlessRejected(findEngagements(client, externalId), async () => []);
}

/** A result, or another one if the service rejects the request. */
async function unlessRejected<T>(result: Promise<T>, instead: () => Promise<T>): Promise<T> {
	return await result.catch(async (error: unknown) =>
		isRejected(error) ? await instead() : await Promise.reject(error),
	);
}

/**
 * The engagements on the next page that contain a text, or on many pages if a text was entered; and
 * where to continue: the next page, and the first ID on the last page read.
 */
async function scan(
	client: ServiceClient,
	text: string,
	token = '0',
	orderBy?: string,
): Promise<{ found: INodeListSearchItems[]; next?: string }> {
	const [start, previous] = token.split(' ');
	const end = Number(start) + (text === '' ? 1 : SEARCHED_PAGES);
	const found: INodeListSearchItems[] = [];
	const needed = text === '' ? () => 0 : undefined;
	const plan = { pageSize: PAGE_SIZE, start: Number(start), needed };
	const request = listEngagements({ orderBy });
	for await (const { number, records, response, isLast } of pages(client, request, plan)) {
		const [first = 'none'] = response.records.slice(0, 1).map((record) => toEntry(record).value);
		// A service that ignores the page number repeats its only page.
		if (number === plan.start && first === previous) return { found };
		found.push(...records.map(toEntry).filter(({ name }) => name.toLowerCase().includes(text)));
		if (isLast) return { found };
		if (number + 1 >= end || found.length >= ENOUGH)
			return { found, next: `${number + 1} ${first}` };
	}
	return { found };
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
