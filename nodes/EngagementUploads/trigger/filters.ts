/** The trigger's filters. */
import type { IDataObject } from 'n8n-workflow';
import { collectionField } from '../fields/collections';
import {
	connectorNamesFilter,
	engagementIdsFilter,
	filterRules,
	matchesRules,
	parseConnectorNames,
	parseStatuses,
	uploadStatusesFilter,
	type FilterRule,
} from '../fields/uploadFilters';
import { parseIds } from '../values/ids';
import type { SeenUpload } from './upload';

export const filtersField = collectionField('Filters', 'filters', 'Add filter', [
	connectorNamesFilter,
	engagementIdsFilter,
	{
		...uploadStatusesFilter,
		description:
			'Only uploads with one of these statuses. Without this filter, Upload Completed includes uploads that ended with a failure. Use an expression for a status that is not listed.',
	},
	{
		displayName: 'Upload Types',
		name: 'uploadTypes',
		type: 'string',
		default: '',
		placeholder: 'e.g. FULL',
		description: 'Only uploads of these types, separated by commas',
	},
]);

/** Reads the collection Filters; an empty filter accepts everything. @throws InputError */
export function parseFilter(entered: IDataObject): FilterRule[] {
	const { engagementIds, connectorNames, uploadStatuses, uploadTypes } = entered;
	return [
		...filterRules('engagementId', parseIds(engagementIds, 'Engagement IDs')?.map(String)),
		...filterRules(
			'connectorName',
			parseConnectorNames(connectorNames, connectorNamesFilter.displayName),
		),
		...filterRules('uploadStatus', parseStatuses(uploadStatuses, 'Upload Statuses')),
		...filterRules('uploadType', parseStatuses(uploadTypes, 'Upload Types')),
	];
}

/** Whether a record has an accepted value for each rule. */
export function matchesFilter(rules: FilterRule[], { record }: SeenUpload): boolean {
	return matchesRules(rules, record);
}
