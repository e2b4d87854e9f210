/** Which completed uploads the trigger emits, besides when they completed. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { parseIds } from '../values/ids';
import { parseList } from '../values/lists';
import { toText } from '../values/text';
import type { CompletedUpload } from './upload';

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
			description:
				'Only uploads from these accounting packages: the names (codes) of connectors, separated by commas',
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
				'Only uploads that ended with one of these statuses, separated by commas. Without this filter, failed ones may come too.',
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

/** A filter, and a text that is the same for the same filter. */
export interface UploadFilter {
	fingerprint: string;
	matches(upload: CompletedUpload): boolean;
}

/** Reads the collection Filters; an empty filter lets everything through. @throws InputError */
export function uploadFilter(entered: IDataObject): UploadFilter {
	const wanted: Array<[field: string, values: string[] | undefined]> = [
		['engagementId', parseIds(entered.engagementIds, 'Engagement IDs')?.map(String)],
		['connectorName', parseList(entered.connectorNames, 'Connector Names', 'connectorName')],
		['uploadStatus', parseList(entered.uploadStatuses, 'Upload Statuses')],
		['uploadType', parseList(entered.uploadTypes, 'Upload Types')],
	];
	const rules = wanted.flatMap(([field, values]) =>
		values === undefined ? [] : [{ field, values: new Set(values.map(folded)) }],
	);
	return {
		fingerprint: JSON.stringify(rules.map(({ field, values }) => [field, [...values].sort()])),
		matches: ({ record }) => rules.every(({ field, values }) => values.has(folded(record[field]))),
	};
}

function folded(value: unknown): string {
	return toText(value ?? '')
		.trim()
		.toLowerCase();
}
