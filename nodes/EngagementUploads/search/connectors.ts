/** The connectors to choose from in the editor. */
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listConnectors } from '../api/endpoints';
import type { Connector } from '../api/records';
import { isRefreshable } from '../lookups/connectors';
import { readList } from '../transport/list';
import { toText } from '../values/text';
import { openForSearch } from './paging';

/** All connectors. */
export async function searchConnectors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, filter, () => true);
}

/** The connectors whose data can be refreshed. */
export async function searchRefreshableConnectors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, filter, isRefreshable);
}

async function search(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	matches: (record: Connector) => boolean,
): Promise<INodeListSearchResult> {
	const connectors = await readList(await openForSearch(context), listConnectors());
	const wanted = (filter ?? '').trim().toLowerCase();
	const entries = connectors.filter(matches).map((record) => {
		const name = toText(record.name ?? '');
		const title = toText(record.title ?? record.description ?? name);
		return { name: title === name ? name : `${title} (${name})`, value: name };
	});
	const results = entries.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results: results.sort((a, b) => a.name.localeCompare(b.name)) };
}
