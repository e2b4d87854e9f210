/** Connectors: by ID, name (code) or title. */
import type { Connector } from '../service/records';
import { plainNumber } from '../values/ids';
import { InputError, quote } from '../values/inputError';
import { groupBy } from '../values/objects';
import { readBoolean } from '../values/scalars';
import { foldCase, parsePathPart, toText } from '../values/text';

/** The name of the connector with this ID, name or title. @throws InputError unless there is exactly one */
export function findConnectorName(connectors: Connector[], key: string): string {
	const [found, ...others] = distinctNames(findConnectors(connectors, key));
	if (others.length > 0) {
		throw new InputError(
			`Connector ${quote(key)} could be any of several connectors`,
			'Choose the Connector from the list, or enter its ID',
		);
	}
	if (found !== undefined) return parsePathPart(found, 'Connector');
	throw new InputError(
		`No connector has the ID or name ${quote(key)}`,
		'Choose the Connector from the list, or set Connector to By Name',
	);
}

/** The names of connectors by ID, name or title. @throws InputError that names the filter if there is none */
export function namesInUploads(connectors: Connector[], keys: string[], filter: string): string[] {
	return keys.flatMap((key) => {
		const found = findConnectors(connectors, key);
		if (found.length > 0) return distinctNames(found);
		throw new InputError(
			`${filter} ${quote(key)} is not a connector of the service`,
			'Choose the connectors from the list, or remove the filter',
		);
	});
}

/** The connectors with this ID, or else this name, or else this title. */
function findConnectors(connectors: Connector[], key: string): Connector[] {
	const index = indexes.get(connectors) ?? toIndex(connectors);
	indexes.set(connectors, index);
	return index.get(toSpelling(key)) ?? [];
}

/** The different names of connectors, of which a list may have several versions. */
function distinctNames(connectors: Connector[]): string[] {
	return [...new Set(connectors.map(({ name }) => toText(name)))];
}

/** The connectors of each list by their spellings, since thousands of items look theirs up in one list. */
const indexes = new WeakMap<Connector[], Map<string, Connector[]>>();

function toIndex(connectors: Connector[]): Map<string, Connector[]> {
	// The last one counts: an ID takes precedence over a name, and a name over a title.
	const fields = ['title', 'name', 'id'] as const;
	return new Map(
		fields.flatMap((field) => [...groupBy(connectors, (each) => toSpelling(each[field]))]),
	);
}

function toSpelling(value: unknown): string {
	return plainNumber(foldCase(value));
}

/** Whether data can be refreshed through a connector. */
export function isRefreshable({ isRefreshable: value }: Connector): boolean {
	return readBoolean(value) === true;
}
