/** Output: the form in which records come out. */
import type { INodeProperties } from 'n8n-workflow';
import type { OutputChoice } from '../output/outputMapper';
import { parseOption, parseList, InputError } from '../values/input';

export const outputFields: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: 'Everything, just as the service sends it',
			},
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description: 'Only the fields that you name',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The most useful fields, ready for a table',
			},
		],
		default: 'simplified',
		description: 'Which fields come out',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		placeholder: 'e.g. engagementId, name, Owner.email',
		description:
			'Names of the fields to return, separated by commas. A dot leads to a field inside another.',
		displayOptions: { show: { output: ['selectedFields'] } },
	},
];

/** Reads what was chosen in Output. @throws InputError */
export function outputChoice(output: unknown, fields: unknown): OutputChoice {
	const form = parseOption(output ?? 'simplified', 'Output', [
		'simplified',
		'raw',
		'selectedFields',
	]);
	if (form !== 'selectedFields') return { form };
	const names = parseList(fields, 'Fields');
	if (names !== undefined) return { form, fields: names };
	throw new InputError(
		'Fields is empty',
		'Name at least one field in Fields, or choose another Output',
	);
}
