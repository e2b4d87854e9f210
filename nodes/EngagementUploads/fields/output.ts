/** Output: which fields of a record to return. */
import { DATA_STATUS_FIELDS } from '../service/dataStatus';
import { kinds, type KindName } from '../service/records';
import { parseList } from '../values/lists';
import { choice, dependent, field, required } from './field';

const FORMS = {
	selectedFields: ['Selected Fields', 'Only the ID and the fields that you choose in Fields'],
	simplified: ['Simplified', 'The most useful fields, ready for a table'],
} as const;

/** Output and Fields, for records of a kind. */
export const output = (kind: KindName) => ({
	output: choice('Output', 'Which fields to return', 'simplified', {
		raw: ['Raw', 'All fields, exactly as the service sends them'],
		...FORMS,
	}),
	fields: fieldList(kinds[kind].ids, listNames(kind)),
});

/** Output and Fields, for the data status of engagements; its fields may also be those of the engagement. */
export const dataStatusOutput = {
	output: choice('Output', 'Which fields to return', 'simplified', FORMS),
	fields: fieldList(kinds.engagement.ids, [...listNames('engagement'), ...DATA_STATUS_FIELDS]),
};

function fieldList(ids: readonly string[], names: readonly string[]) {
	const sorted = names.toSorted((one, other) => one.localeCompare(other));
	return dependent(
		{ show: { output: ['selectedFields'] } },
		field(
			{
				displayName: 'Fields',
				type: 'multiOptions',
				options: sorted.map((name) => ({ name, value: name })),
				default: [],
				description: `Fields to return besides ${ids.join(' and ')}. Use an expression for fields that are not listed: an array, or names separated by commas. A dot leads to nested fields, such as Owner.email.`,
			},
			required((value, label) => parseList(value, label)),
		),
	);
}

/** The fields of the simplified record, and those that only the raw one has. */
function listNames(kind: KindName): string[] {
	const { simplified, others } = kinds[kind];
	return [...Object.keys(simplified), ...others];
}
