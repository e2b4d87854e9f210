/** Output: which fields of a record to return. */
import { InputError } from '../values/inputError';
import { parseList } from '../values/lists';
import { choice, dependent, text } from './field';

/** Output and Fields; `example` names fields of the records, for the placeholder. */
export const output = (example: string) => ({
	output: choice('Output', 'Which fields to return', 'simplified', {
		raw: ['Raw', 'All fields, exactly as the service sends them'],
		selectedFields: ['Selected Fields', 'Only the fields that you name in Fields'],
		simplified: ['Simplified', 'The most useful fields, ready for a table'],
	}),
	fields: dependent(
		{ show: { output: ['selectedFields'] } },
		text(
			'Fields',
			'Names of the fields to return, separated by commas. Use a dot for nested fields, such as Owner.email.',
			requiredNames,
			{ placeholder: `e.g. ${example}` },
		),
	),
});

function requiredNames(value: unknown, label: string): string[] {
	const names = parseList(value, label, [], 'separate');
	if (names !== undefined) return names;
	throw new InputError(
		`${label} is empty`,
		`Enter at least one field in ${label}, or choose another Output`,
	);
}
