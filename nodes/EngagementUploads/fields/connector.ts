/** Connector: chosen from a list, by name (code), or by the ID that engagements carry. */
import type { INodeProperties } from 'n8n-workflow';
import { pickField } from '../values/objects';
import { pathPart, requiredText } from '../values/text';
import type { Item } from './item';
import { locatorOf } from './locator';

/** The field Connector; `searchListMethod` fills its list. */
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
			"The customer's accounting package. The name is a code such as cloudbooks, the ID is the connectorId of an engagement.",
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

/** The choice in Connector. */
export type ConnectorChoice = { name: string } | { id: string };

export function readConnector(item: Item): ConnectorChoice {
	return item.read('connectorName', 'Connector', (entered, field) => {
		const { mode, value } = locatorOf(entered, 'name');
		return mode === 'id'
			? { id: requiredText(pickField(value, 'connectorId'), 'Connector ID') }
			: { name: pathPart(pickField(value, 'connectorName'), field) };
	});
}
