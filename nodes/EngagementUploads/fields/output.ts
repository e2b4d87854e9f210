/** Output: which fields of a record to return. */
import type { INodeProperties } from 'n8n-workflow';
import type { OutputChoice } from '../output/outputMapper';
import { InputError } from '../values/inputError';
import { parseList } from '../values/lists';
import { parseOption } from '../values/scalars';
import type { Item } from './item';

/** Output and Fields; `example` names fields of the records, for the placeholder. */
export const outputFields = (example: string): INodeProperties[] => [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: 'All fields, exactly as the service sends them',
			},
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description: 'Only the fields that you name in Fields',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The most useful fields, ready for a table',
			},
		],
		default: 'simplified',
		description: 'Which fields to return',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
		description:
			'Names of the fields to return, separated by commas. Use a dot for nested fields, such as Owner.email.',
		displayOptions: { show: { output: ['selectedFields'] } },
	},
];

/** The choice in Output. */
export function readOutput(item: Item): OutputChoice {
	const names = item.read('fields', 'Fields', (value) => value);
	return item.read('output', 'Output', (value) => outputChoice(value, names));
}

/** @throws InputError */
export function outputChoice(output: unknown, fields: unknown): OutputChoice {
	const form = parseOption(output ?? 'simplified', 'Output', [
		'simplified',
		'raw',
		'selectedFields',
	]);
	if (form !== 'selectedFields') return { form };
	const names = parseList(fields, 'Fields', undefined, 'separate');
	if (names !== undefined) return { form, fields: names };
	throw new InputError(
		'Fields is empty',
		'Enter at least one field in Fields, or choose another Output',
	);
}
