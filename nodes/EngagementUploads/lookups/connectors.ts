/** Connectors: by ID, name (code) or title. */
import type { Connector } from '../service/records';
import { plainNumber } from '../values/ids';
import { InputError, quote } from '../values/inputError';
import { readBoolean } from '../values/scalars';
import { foldCase, isAbsent, parsePathPart, toText } from '../values/text';

/** The name of the connector with this ID, name or title. @throws InputError if there is none */
export function findConnectorName(connectors: Connector[], key: string): string {
	const [found] = findConnectors(connectors, key);
	if (found !== undefined) return parsePathPart(found.name, 'Connector');
	throw new InputError(
		`No connector has the ID or name ${quote(key)}`,
		'Choose the Connector from the list, or set Connector to By Name',
	);
}

/**
 * The names and titles of connectors, since uploads may contain either. A filter gives the connectors by ID,
 * name or title. @throws InputError that names the filter, for a connector that does not exist
 */
export function namesInUploads(connectors: Connector[], keys: string[], filter: string): string[] {
	return keys.flatMap((key) => {
		const found = findConnectors(connectors, key);
		const names = found.flatMap(({ name, title }) => [name, title]);
		if (found.length > 0) return names.filter((each) => !isAbsent(each)).map(toText);
		throw new InputError(
			`${filter} ${quote(key)} is not a connector of the service`,
			'Choose the connectors from the list, or remove the filter',
		);
	});
}

/** The connectors with this ID, or else this name, or else this title. */
export function findConnectors(connectors: Connector[], key: string): Connector[] {
	const normalize = (value: unknown) => plainNumber(foldCase(value));
	const found = (['id', 'name', 'title'] as const).map((field) =>
		connectors.filter((each) => normalize(each[field]) === normalize(key)),
	);
	return found.find(({ length }) => length > 0) ?? [];
}

/** Whether data can be refreshed through a connector. */
export function isRefreshable({ isRefreshable: value }: Connector): boolean {
	return readBoolean(value) === true;
}
