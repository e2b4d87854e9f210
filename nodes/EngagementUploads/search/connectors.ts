/** The connectors to choose from in the editor. */
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
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

/** All connectors, for a multi-select. */
export async function getConnectorNames(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await listOptions(this, () => true);
}

async function search(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	matches: (record: Connector) => boolean,
): Promise<INodeListSearchResult> {
	const options = await listOptions(context, matches);
	const query = (filter ?? '').trim().toLowerCase();
	return { results: options.filter(({ name }) => name.toLowerCase().includes(query)) };
}

async function listOptions(
	context: ILoadOptionsFunctions,
	matches: (record: Connector) => boolean,
): Promise<Array<{ name: string; value: string }>> {
	const connectors = await readList(await openForSearch(context), listConnectors());
	const options = connectors.filter(matches).map((record) => {
		const name = toText(record.name ?? '');
		const title = toText(record.title ?? record.description ?? name);
		return { name: title === name ? name : `${title} (${name})`, value: name };
	});
	return options.sort((a, b) => a.name.localeCompare(b.name));
}
