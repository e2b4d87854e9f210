/** Connectors by the ID that engagements carry. */
import type { Connector } from '../api/records';
import { InputError } from '../values/inputError';
import { pathPart, toText } from '../values/text';

/** The name (code) of the connector with this ID. @throws InputError if there is none */
export function connectorNameOf(connectors: Connector[], id: string): string {
	const found =
		connectors.find((record) => toText(record.id) === id) ??
		connectors.find((record) => plainNumber(toText(record.id)) === plainNumber(id));
	if (found !== undefined) return pathPart(found.name, 'Connector');
	throw new InputError(`No connector has the ID “${id}”`, 'Choose the Connector from the list');
}

/** The number without leading zeros and without the decimal place that spreadsheets add. */
function plainNumber(id: string): string {
	return id.replace(/^0*(\d+?)(?:\.0+)?$/, '$1');
}

export function isRefreshable({ isRefreshable: value }: Connector): boolean {
	return value === true || value === 'true';
}
