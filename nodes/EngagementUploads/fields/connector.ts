/** Connector: chosen from a list, by name (code), or by ID, as in engagements. */
import { withoutDecimals } from '../values/ids';
import { isObject, pickField } from '../values/objects';
import { isEmpty, parsePathPart, parseRequiredText } from '../values/text';
import { builderHint, type Field } from './field';
import { locator } from './locator';

/** The choice in Connector; `key` is an ID, a name or a title. */
export type ConnectorChoice = { name: string } | { key: string };

/** The field Connector; `searchListMethod` fills its list. */
export const connector = (searchListMethod: 'searchConnectors' | 'searchRefreshableConnectors') =>
	locator<ConnectorChoice>(
		'Connector',
		"The customer's accounting package. The name is a code such as cloudbooks; the ID is the connectorId of an engagement.",
		{ placeholder: 'Select a connector…', searchListMethod },
		{ name: ['By Name', 'e.g. cloudbooks'], id: ['By ID', 'e.g. 12'] },
		(value, label, mode) =>
			mode === 'id'
				? { key: parseKey(pickField(value, 'connectorId', 'connectorName'), `${label} (By ID)`) }
				: { name: parsePathPart(pickField(value, 'connectorName', 'name'), label) },
	);

const refreshable = connector('searchRefreshableConnectors');

/** The same, for data refreshes; undefined if it was left empty. */
export const connectorOrLast: Field<ConnectorChoice | undefined> = {
	property: {
		...refreshable.property,
		required: false,
		description: `${refreshable.property.description} Leave empty to use the connector of the engagement's last upload.`,
		...builderHint('Leave empty, unless the user names an accounting package'),
	},
	parse: (value, label, zone) =>
		isEmpty(isObject(value) && 'value' in value ? value.value : value)
			? undefined
			: refreshable.parse(value, label, zone),
};

function parseKey(value: unknown, label: string): string {
	return withoutDecimals(parseRequiredText(value, label), label);
}
