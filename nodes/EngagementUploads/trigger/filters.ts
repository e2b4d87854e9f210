/** The trigger's filters (docs/service.md#uploads); the service offers none of them. */
import type { Connector } from '../api/records';
import { collection, text, type Values } from '../fields/field';
import {
	connectorNames,
	engagementIds,
	filterRules,
	parseWords,
	uploadStatuses,
	type FilterRule,
} from '../fields/uploadFilters';
import { InputError, quote } from '../values/inputError';
import { toText } from '../values/text';

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

/**
 * What uploads may call connectors that are given by name, title or ID: their names and titles.
 * @throws InputError for one that does not exist
 */
export function namesOf(entered: string[], connectors: Connector[]): string[] {
	return entered.flatMap((wanted) => {
		const isMeant = (value: unknown) => folded(value) === folded(wanted);
		const found = connectors.filter(({ id, name, title }) => [id, name, title].some(isMeant));
		const names = found.flatMap(({ name, title }) => [toText(name ?? ''), toText(title ?? '')]);
		if (found.length > 0) return names.filter((name) => name !== '');
		throw new InputError(
			`${connectorNames.property.displayName} ${quote(wanted)} is not a connector of the service`,
			'Choose the connectors from the list, or remove the filter',
		);
	});
}

function folded(value: unknown): string {
	return toText(value ?? '')
		.trim()
		.toLowerCase();
}
