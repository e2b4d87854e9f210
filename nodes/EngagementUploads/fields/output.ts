/** Output: which fields of a record to return. */
import { meanings } from '../service/kind';
import { kinds, type KindName } from '../service/records';
import { parseList } from '../values/objects';
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
	fields: fieldList(kind),
});

/** The same for records that have more fields than the service sends, and so no raw form. */
export const computedOutput = (kind: KindName, more: Record<string, string>) => ({
	output: choice('Output', 'Which fields to return', 'simplified', FORMS),
	fields: fieldList(kind, more),
});

/** The field Fields: those of a kind, and `more` with their meanings. */
function fieldList(kind: KindName, more: Record<string, string> = {}) {
	const ids = kinds[kind].always;
	const options = Object.entries({ ...meanings(kinds[kind]), ...more })
		.filter(([name]) => !ids.includes(name))
		.map(([value, meaning]) => ({ name: toTitle(value), value, description: toPlain(meaning) }))
		.sort((one, other) => one.name.localeCompare(other.name));
	const names = options.map(({ value }) => value);
	// Where there are nested fields, one of them shows how to write its name.
	const example = names.find((name) => name.includes('.')) ?? names.at(-1);
	return dependent(
		{ show: { output: ['selectedFields'] } },
		field(
			{
				displayName: 'Fields',
				type: 'multiOptions',
				options,
				default: [],
				description: `Fields to return besides ${ids.join(' and ')}. For others, use an expression, such as {{ ['${names[0]}', '${example}'] }}.`,
			},
			required((value, label) => parseList(value, label)),
		),
	);
}

const ABBREVIATION = /\b(id|iso|sme|sso|uuid)\b/gi;

/** `Owner.firstName` → “Owner First Name” */
function toTitle(name: string): string {
	const words = name.split(/\.|(?=\p{Lu})|(?=\d)/u);
	const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
	return title.replace(ABBREVIATION, (word) => word.toUpperCase());
}

/** A meaning without the Markdown of docs/service.md, and without references to it. */
function toPlain(meaning: string): string {
	return meaning.replace(/; see \[.*?\]\(.*?\)/g, '').replace(/`|\[|\]\(.*?\)/g, '');
}
