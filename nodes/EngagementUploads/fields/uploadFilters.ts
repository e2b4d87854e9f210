/** Filters of uploads; those that the service does not offer are applied to what it returns. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { parseList } from '../values/lists';
import { toText } from '../values/text';
import type { Reader } from './item';

export const connectorNamesFilter: INodeProperties = {
	displayName: 'Connector Names or IDs',
	name: 'connectorNames',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getConnectorNames' },
	default: [],
	description:
		'Only uploads through these connectors. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const engagementIdsFilter: INodeProperties = {
	displayName: 'Engagement IDs',
	name: 'engagementIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1001, 1002',
	description: 'Only uploads of these engagements, separated by commas',
};

/** Statuses seen in practice (docs/service.md#uploads); there may be others. */
const STATUSES = ['ABORTED', 'COMPLETED', 'FAILED', 'LOADING', 'PROCESSING'];

export const uploadStatusesFilter: INodeProperties = {
	displayName: 'Upload Statuses',
	name: 'uploadStatuses',
	type: 'multiOptions',
	options: STATUSES.map((status) => ({ name: status, value: status })),
	default: [],
	description:
		'Only uploads with one of these statuses. Use an expression for a status that is not listed.',
};

export const parseConnectorNames: Reader<string[] | undefined> = (value, field) =>
	parseList(value, field, 'connectorName');

/** Also used for upload types. */
export const parseStatuses: Reader<string[] | undefined> = (value, field) =>
	parseList(value, field, undefined, 'both');

/** A field of the record and its accepted values, in lower case and sorted. */
export type FilterRule = [field: string, values: string[]];

/** The rule for a field; none if nothing was entered. */
export function filterRules(field: string, values: string[] | undefined): FilterRule[] {
	return values === undefined ? [] : [[field, [...new Set(values.map(folded))].sort()]];
}

/** Whether a record has an accepted value for each rule. */
export function matchesRules(rules: FilterRule[], record: IDataObject): boolean {
	return rules.every(([field, values]) => values.includes(folded(record[field])));
}

function folded(value: unknown): string {
	return toText(value ?? '')
		.trim()
		.toLowerCase();
}
