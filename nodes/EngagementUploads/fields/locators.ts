/**
 * Engagement and Connector, the resource locators: fields in which a record is chosen from a list, or entered in one of
 * several ways.
 */
import type { INodeProperties, INodePropertyModeTypeOptions } from 'n8n-workflow';
import { parseEngagementId, parseExternalId } from '../values/ids';
import { isObject } from '../values/objects';
import { isEmpty, parsePathPart } from '../values/text';
import { builderHint, field, type Field } from './field';

type Mode = readonly [displayName: string, placeholder: string];

/** `modes` are the ways besides the list. A value from an expression has no mode. */
const locator = <T>(
	displayName: string,
	description: string,
	{ placeholder, ...search }: INodePropertyModeTypeOptions & { placeholder: string },
	modes: Record<string, Mode>,
	parse: (value: unknown, label: string, mode?: unknown) => T,
	more: Partial<INodeProperties> = {},
): Field<T> => {
	const typeOptions = { ...search, searchable: true };
	const others = Object.entries(modes).map(([name, [label, example]]) => {
		return { displayName: label, name, type: 'string' as const, placeholder: example };
	});
	const list = { displayName: 'From List', name: 'list', type: 'list' as const };
	return field(
		{
			displayName,
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description,
			modes: [{ ...list, placeholder, typeOptions }, ...others],
			...more,
		},
		(entered, label) =>
			isObject(entered) && Object.hasOwn(entered, 'value')
				? parse(entered.value, label, entered.mode)
				: parse(entered, label),
	);
};

/** The choice in Engagement: by ID, or by external ID. */
export type EngagementChoice = { id: number } | { externalId: string };

const SLOW =
	'The list is taking a long time to load. You can also set Engagement to By ID or By External ID.';

export const engagement = locator<EngagementChoice>(
	'Engagement',
	"A customer's record. The ID comes from the service; the External ID is your own ID for the customer.",
	{
		placeholder: 'Select an engagement…',
		searchListMethod: 'searchEngagements',
		slowLoadNotice: { message: SLOW, timeout: 5000 },
	},
	{
		id: ['By ID', 'e.g. 1001'],
		externalId: ['By External ID', 'e.g. CUSTOMER-42'],
	},
	(value, label, mode) =>
		mode === 'externalId'
			? { externalId: parseExternalId(value, `${label} (By External ID)`) }
			: { id: parseEngagementId(value, label, ', or set it to By External ID') },
	builderHint(
		"Use the mode externalId for the user's own customer number, and id for an engagementId from another node. Both work here directly, so add no node that looks the engagement up.",
	),
);

/** The field Connector: the connector's name; `searchListMethod` fills its list. */
export const connector = (searchListMethod: 'searchConnectors' | 'searchRefreshableConnectors') =>
	locator(
		'Connector',
		"The customer's accounting package. Its name is a code such as cloudbooks.",
		{ placeholder: 'Select a connector…', searchListMethod },
		{ name: ['By Name', 'e.g. cloudbooks'] },
		parsePathPart,
	);

const refreshable = connector('searchRefreshableConnectors');

/** Connector, for data refreshes; undefined if none was chosen from the list. */
export const connectorOrLast: Field<string | undefined> = {
	property: {
		...refreshable.property,
		required: false,
		description: `${refreshable.property.description} Leave empty to use the connector of the engagement's last upload.`,
		...builderHint('Leave empty, unless the user names an accounting package'),
	},
	parse: (value, label, zone) =>
		isObject(value) && value.mode === 'list' && isEmpty(value.value)
			? undefined
			: refreshable.parse(value, label, zone),
};
