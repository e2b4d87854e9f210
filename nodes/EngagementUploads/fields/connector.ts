/** Connector: chosen from a list, by name (code), or by the ID that engagements carry. */
import { pickField } from '../values/objects';
import { pathPart } from '../values/text';
import { field, locatorOf } from './field';

/** The choice in Connector; `key` is an ID, a name or a title. */
export type ConnectorChoice = { name: string } | { key: string };

/** The field Connector; `searchListMethod` fills its list. */
export const connector = (searchListMethod: 'searchConnectors' | 'searchRefreshableConnectors') =>
	field(
		{
			displayName: 'Connector',
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
		},
		(entered, label): ConnectorChoice => {
			const { mode, value } = locatorOf(entered, 'name');
			return mode === 'id'
				? { key: pathPart(pickField(value, 'connectorId', 'connectorName'), 'Connector ID') }
				: { name: pathPart(pickField(value, 'connectorName', 'name'), label) };
		},
	);
