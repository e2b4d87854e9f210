/** Connectors: by ID, name (code) or title, and to choose from in the editor. */
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { listConnectors } from '../api/endpoints';
import type { Connector } from '../api/records';
import { connectorNames } from '../fields/uploadFilters';
import { readList } from '../transport/pages';
import { plainNumber } from '../values/ids';
import { InputError, quote } from '../values/inputError';
import { folded, isAbsent, pathPart, toText } from '../values/text';
import { readForEditor, sorted } from './editorLists';

/** All connectors. */
export const searchConnectors = searchAmong(() => true);

/** The connectors whose data can be refreshed. */
export const searchRefreshableConnectors = searchAmong(isRefreshable);

/** All connectors, for a multi-select. */
export async function getConnectorNames(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await listOptions(this, () => true);
}

function searchAmong(matches: (record: Connector) => boolean) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const options = await listOptions(this, matches);
		const query = folded(filter);
		return { results: options.filter(({ name }) => folded(name).includes(query)) };
	};
}

async function listOptions(
	context: ILoadOptionsFunctions,
	matches: (record: Connector) => boolean,
): Promise<Array<{ name: string; value: string }>> {
	const connectors = await readForEditor(
		context,
		async (client) => await readList(client, listConnectors()),
	);
	const options = connectors.filter(matches).map((record) => {
		const name = toText(record.name ?? '');
		const title = toText(record.title ?? record.description ?? name);
		return { name: title === name ? name : `${title} (${name})`, value: name };
	});
	return sorted(options);
}

/** The name of the connector with this ID, name or title. @throws InputError if there is none */
export function connectorNameOf(connectors: Connector[], key: string): string {
	const found =
		connectors.find(({ id }) => toText(id) === key) ??
		connectors.find(({ id }) => plainNumber(toText(id)) === plainNumber(key)) ??
		connectors.find(({ name }) => folded(name) === folded(key)) ??
		connectors.find(({ title }) => folded(title) === folded(key));
	if (found !== undefined) return pathPart(found.name, 'Connector');
	throw new InputError(
		`No connector has the ID or name ${quote(key)}`,
		'Choose the Connector from the list, or set Connector to By Name',
	);
}

/**
 * What uploads may call the connectors that a filter gives by ID, name or title: their names and
 * titles. @throws InputError for one that does not exist
 */
export function namesInUploads(connectors: Connector[], keys: string[]): string[] {
	const byKey = new Map<string, Set<string>>();
	for (const { id, name, title } of connectors) {
		const names = [name, title].filter((each) => !isAbsent(each)).map(toText);
		for (const key of [plainNumber(folded(id)), folded(name), folded(title)])
			byKey.set(key, new Set([...(byKey.get(key) ?? []), ...names]));
	}
	return keys.flatMap((key) => {
		const found = [folded(key), plainNumber(folded(key))].flatMap((each) => byKey.get(each) ?? []);
		if (found.length > 0) return found.flatMap((names) => [...names]);
		throw new InputError(
			`${connectorNames.property.displayName} ${quote(key)} is not a connector of the service`,
			'Choose the connectors from the list, or remove the filter',
		);
	});
}

export function isRefreshable({ isRefreshable: value }: Connector): boolean {
	return value === true || value === 'true';
}
