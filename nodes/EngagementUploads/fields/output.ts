/** Output: which fields of a record to return. */
import { fieldNames } from '../service/kind';
import { kinds, type KindName } from '../service/records';
import { parseList } from '../values/objects';
import { choice, dependent, field, required } from './field';

const FORMS = {
	selectedFields: ['Selected Fields', 'Only the ID and the fields that you choose in Fields'],
	simplified: ['Simplified', 'The most useful fields, ready for a table'],
} as const;

/** Output and Fields, for records of a kind. */
export const output = (kind: KindName, names = fieldNames(kinds[kind])) => ({
	output: choice('Output', 'Which fields to return', 'simplified', {
		raw: ['Raw', 'All fields, exactly as the service sends them'],
		...FORMS,
	}),
	fields: fieldList(kind, names),
});

/** The same for records that have more fields than the service sends, and so no raw form. */
export const computedOutput = (kind: KindName, more: readonly string[]) => ({
	output: choice('Output', 'Which fields to return', 'simplified', FORMS),
	fields: fieldList(kind, [...fieldNames(kinds[kind]), ...more]),
});

/** The field Fields, with these names. */
function fieldList(kind: KindName, names: readonly string[]) {
	const ids = kinds[kind].always;
	const offered = names
		.filter((name) => !ids.includes(name))
		.sort((one, other) => one.localeCompare(other));
	// Where there are nested fields, one of them shows how to write its name.
	const example = offered.find((name) => name.includes('.')) ?? offered.at(-1);
	return dependent(
		{ show: { output: ['selectedFields'] } },
		field(
			{
				displayName: 'Fields',
				type: 'multiOptions',
				options: offered.map((name) => ({ name, value: name })),
				default: [],
				description: `Fields to return besides ${ids.join(' and ')}. For others, use an expression, such as {{ ['${offered[0]}', '${example}'] }}.`,
			},
			required((value, label) => parseList(value, label)),
		),
	);
}
