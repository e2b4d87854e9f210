/** The searchable lists of the editor: engagements and connectors. */
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { PAGE_SIZE } from '../fields/options';
import { listConnectors, listEngagements } from '../service/endpoints';
import { engagement, type Connector, type Engagement } from '../service/records';
import { simplify } from '../service/kind';
import { ServiceClient } from '../transport/client';
import { nodeError } from '../transport/errors';
import { pages, readList } from '../transport/pages';
import { systemClock } from '../values/clock';
import { readBoolean } from '../values/scalars';
import { foldCase, isAbsent, toText } from '../values/text';

const PARALLEL = 8;
/** In milliseconds: within 30 seconds, the user sees the list, or what is wrong. */
const TIMEOUT = 20_000;
const MAX_TIME = 28_000;
/** A search ends after this time, or this many matches. */
const SEARCH_TIME = 20_000;
const ENOUGH = 100;
/** The last entry of a search that has not reached the end of the list. */
const UNFINISHED =
	'There may be more. Enter more of the name, or set Engagement to By External ID.';
const { compare } = new Intl.Collator('en', { numeric: true });

/** Engagements whose entry in the list, such as their name and external ID, contains what the user enters. */
export async function searchEngagements(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const until = systemClock.now() + SEARCH_TIME;
	const sought = foldCase(filter);
	const found: INodeListSearchItems[] = [];
	return await readForEditor(this, async (client) => {
		const list = pages(client, listEngagements(), { pageSize: PAGE_SIZE });
		for await (const { records, isLast } of list) {
			const entries = records.map(toEntry);
			const matches = ({ name, value }: INodeListSearchItems) =>
				value === sought || foldCase(name).includes(sought);
			found.push(...entries.filter(matches));
			if (isLast) return { results: sortByName(found) };
			if (found.length >= ENOUGH || systemClock.now() >= until) break;
		}
		return { results: [...sortByName(found), { name: UNFINISHED, value: '' }] };
	});
}

function toEntry(record: Engagement): INodeListSearchItems {
	const { engagementId, name, smeName, externalEngagementId } = simplify(record, engagement, {
		zone: 'UTC',
	});
	const title = [name, smeName].find((each) => !isAbsent(each));
	// An ID distinguishes customers with the same name.
	const id = isAbsent(externalEngagementId) ? `ID ${engagementId}` : String(externalEngagementId);
	return {
		name: title === undefined ? id : `${String(title)} (${id})`,
		value: String(engagementId),
	};
}

/** All connectors. */
export const searchConnectors = connectorSearch(() => true);

/** The connectors whose data can be refreshed. */
export const searchRefreshableConnectors = connectorSearch(
	({ isRefreshable }) => readBoolean(isRefreshable) === true,
);

/** All connectors, for a multi-select. */
export async function getConnectorNames(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await connectorEntries(this, () => true);
}

function connectorSearch(matches: (record: Connector) => boolean) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const entries = await connectorEntries(this, matches);
		return { results: entries.filter(({ name }) => foldCase(name).includes(foldCase(filter))) };
	};
}

async function connectorEntries(
	context: ILoadOptionsFunctions,
	matches: (record: Connector) => boolean,
): Promise<Array<{ name: string; value: string }>> {
	const connectors = await readForEditor(
		context,
		async (client) => await readList(client, listConnectors()),
	);
	// The name is what is saved, so a connector without one cannot be chosen.
	const named = connectors.filter((each) => matches(each) && !isAbsent(each.name));
	const entries = named.map((record) => {
		const name = toText(record.name);
		const title = isAbsent(record.title) ? name : toText(record.title);
		return { name: title === name ? name : `${title} (${name})`, value: name };
	});
	// There may be several versions of one.
	return sortByName([...new Map(entries.map((entry) => [entry.value, entry])).values()]);
}

/** Reads a list for the editor from the service. @throws n8n's own error */
async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	read: (client: ServiceClient) => Promise<T>,
): Promise<T> {
	const deadline = systemClock.now() + MAX_TIME;
	try {
		const options = { parallel: PARALLEL, timeout: TIMEOUT, deadline };
		return await read(await ServiceClient.open(context, options));
	} catch (error) {
		throw nodeError(context.getNode(), error);
	}
}

/** Sorts entries by what the list shows. */
function sortByName<T extends INodeListSearchItems>(entries: T[]): T[] {
	return entries.sort((one, other) => compare(one.name, other.name));
}
