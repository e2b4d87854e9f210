/** The trigger's filters (docs/service.md#uploads); the service offers none of them. */
import { collection, text, type Values } from '../fields/field';
import {
	connectorNames,
	engagementIds,
	filterRules,
	parseWords,
	uploadStatuses,
	type FilterRule,
} from '../fields/uploadFilters';

const fields = {
	connectorNames,
	engagementIds,
	uploadStatuses,
	uploadTypes: text(
		'Upload Types',
		'Only uploads of these types, separated by commas',
		parseWords,
		{ placeholder: 'e.g. FULL' },
	),
};

export const filters = collection('Filters', 'Add filter', fields);
export type Filters = Values<typeof fields>;

/** The rules of a filter; none accept everything. `connectors` are what uploads call them. */
export function rulesOf(entered: Filters, connectors = entered.connectorNames): FilterRule[] {
	return [
		...filterRules('engagementId', entered.engagementIds),
		...filterRules('connectorName', connectors),
		...filterRules('uploadStatus', entered.uploadStatuses),
		...filterRules('uploadType', entered.uploadTypes),
	];
}
