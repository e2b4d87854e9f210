/** Connector: chosen from a list, by its name (code), or by the ID that engagements carry. */
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
} from 'n8n-workflow';
import type { Item } from '../actions/execution';
import { toText } from '../values/text';
import { CLIENT_ID } from '../transport/address';
import { connector } from '../api/kinds';
import { readList } from '../transport/list';
import type { Call } from '../transport/client';
import { locatorOf, openForSearch } from './locator';
import { pickField, pathPart, requiredText, InputError } from '../values/input';

/** The field Connector; its list holds what `searchListMethod` finds. */
export function connectorField(
	searchListMethod: 'searchConnectors' | 'searchRefreshableConnectors',
): INodeProperties {
	return {
		displayName: 'Connector',
		name: 'connectorName',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description:
			'The accounting package of the customer. Its name is a code such as cloudbooks; its ID is the connectorId of an engagement.',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a connector…',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. cloudbooks' },
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 12' },
		],
	};
}

/** The request for all connectors (interface section 4.9). */
export const connectorList: Call = {
	method: 'GET',
	path: `/v1/clients/${CLIENT_ID}/connectors`,
	purpose: 'get the connectors',
};

/** Reads the field Connector; the result looks the name up where an ID was given. */
export function connectorOf(item: Item): () => Promise<string> {
	const { mode, value } = locatorOf(item.value('connectorName'), 'name');
	if (mode !== 'id') {
		const name = item.read('connectorName', 'Connector', (_, field) =>
			pathPart(pickField(value, 'connectorName'), field),
		);
		return async () => name;
	}
	const id = item.read('connectorName', 'Connector ID', (_, field) =>
		requiredText(pickField(value, 'connectorId'), field),
	);
	const { run } = item;
	return async () => {
		const connectors = await run.shared(
			'connectors',
			async () => await readList(run.service, connectorList, connector),
		);
		const found = connectors.find((record) => toText(record.id) === id);
		if (found !== undefined)
			return item.read('connectorName', 'Connector', (_, field) => pathPart(found.name, field));
		throw item.refusal(
			new InputError(`No connector has the ID “${id}”`, 'Choose the Connector from the list'),
		);
	};
}

/** The list behind From List. */
export async function searchConnectors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listed(this, filter, () => true);
}

/** The list behind From List for a data refresh. */
export async function searchRefreshableConnectors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listed(this, filter, isRefreshable);
}

export function isRefreshable({ isRefreshable: value }: IDataObject): boolean {
	return value === true || value === 'true';
}

async function listed(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	fits: (record: IDataObject) => boolean,
): Promise<INodeListSearchResult> {
	const connectors = await readList(await openForSearch(context), connectorList, connector);
	const wanted = (filter ?? '').trim().toLowerCase();
	const entries = connectors.filter(fits).map((record) => {
		const name = toText(record.name ?? '');
		const title = toText(record.title ?? record.description ?? name);
		return { name: title === name ? name : `${title} (${name})`, value: name };
	});
	const results = entries.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results: results.sort((a, b) => a.name.localeCompare(b.name)) };
}
