/** Engagement: chosen from a list, by ID, or by external ID. */
import type { INodeProperties } from 'n8n-workflow';
import { parseEngagementId } from '../values/ids';
import { emptyField, InputError } from '../values/inputError';
import { pickField } from '../values/objects';
import { queryText } from '../values/text';
import type { Item } from './item';
import { locatorOf } from './locator';

export const engagementField: INodeProperties = {
	displayName: 'Engagement',
	name: 'engagementId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		"A customer's record. The ID is the service's, the External ID is your own ID for the customer.",
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select an engagement…',
			typeOptions: { searchListMethod: 'searchEngagements', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1001' },
		{
			displayName: 'By External ID',
			name: 'externalId',
			type: 'string',
			placeholder: 'e.g. CUSTOMER-42',
		},
	],
};

/** The choice in Engagement. */
export type EngagementChoice = { id: number } | { externalId: string };

export function readEngagement(item: Item): EngagementChoice {
	return item.read('engagementId', 'Engagement', (entered, field) => {
		const { mode, value } = locatorOf(entered, 'id');
		return mode === 'externalId'
			? { externalId: parseExternalId(value, 'External Engagement ID') }
			: { id: parseEngagementId(value, field) };
	});
}

/** An external ID, which cannot contain a comma: the service expects comma-separated lists. */
export function parseExternalId(value: unknown, field: string): string {
	const text = queryText(pickField(value, 'externalEngagementId'), field);
	if (text === undefined) throw emptyField(field);
	if (!text.includes(',')) return text;
	throw new InputError(
		`${field} “${text}” contains a comma`,
		'The service separates external IDs with commas. Choose the Engagement by ID',
	);
}
