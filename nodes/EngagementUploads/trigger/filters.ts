/** The trigger's filters. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { parseIds } from '../values/ids';
import { parseList } from '../values/lists';
import { toText } from '../values/text';
import type { SeenUpload } from './upload';

export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'Connector Names',
			name: 'connectorNames',
			type: 'string',
			default: '',
			placeholder: 'e.g. cloudbooks, ledgerbox',
			description: 'Only uploads through these connectors: names (codes), separated by commas',
		},
		{
			displayName: 'Engagement IDs',
			name: 'engagementIds',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1001, 1002',
			description: 'Only uploads of these engagements, separated by commas',
		},
		{
			displayName: 'Upload Statuses',
			name: 'uploadStatuses',
			type: 'string',
			default: '',
			placeholder: 'e.g. COMPLETED, FAILED',
			description:
				'Only uploads with one of these statuses, separated by commas. Without this filter, Upload Completed includes uploads that ended with a failure.',
		},
		{
			displayName: 'Upload Types',
			name: 'uploadTypes',
			type: 'string',
			default: '',
			placeholder: 'e.g. FULL',
			description: 'Only uploads of these types, separated by commas',
		},
	],
};

/** A field of the record and its accepted values, in lower case and sorted. */
export type FilterRule = [field: string, values: string[]];

/** Reads the collection Filters; an empty filter accepts everything. @throws InputError */
export function parseFilter(entered: IDataObject): FilterRule[] {
	const wanted: Array<[field: string, values: string[] | undefined]> = [
		['engagementId', parseIds(entered.engagementIds, 'Engagement IDs')?.map(String)],
		['connectorName', parseList(entered.connectorNames, 'Connector Names', 'connectorName')],
		['uploadStatus', parseList(entered.uploadStatuses, 'Upload Statuses')],
		['uploadType', parseList(entered.uploadTypes, 'Upload Types')],
	];
	return wanted.flatMap(([field, values]): FilterRule[] =>
		values === undefined ? [] : [[field, [...new Set(values.map(folded))].sort()]],
	);
}

/** Whether a record has an accepted value for each rule. */
export function matchesFilter(rules: FilterRule[], { record }: SeenUpload): boolean {
	return rules.every(([field, values]) => values.includes(folded(record[field])));
}

function folded(value: unknown): string {
	return toText(value ?? '')
		.trim()
		.toLowerCase();
}
