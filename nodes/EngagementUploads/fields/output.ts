/** Output: the form in which records come out. */
import type { INodeProperties } from 'n8n-workflow';
import type { OutputChoice } from '../output/outputMapper';
import { oneOf, optionalList, WrongInput } from '../values/input';

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

/** Reads what was chosen in Output. @throws WrongInput */
export function outputChoice(output: unknown, fields: unknown): OutputChoice {
	const form = oneOf(output ?? 'simplified', 'Output', ['simplified', 'raw', 'selectedFields']);
	if (form !== 'selectedFields') return { form };
	const names = optionalList(fields, 'Fields');
	if (names !== undefined) return { form, fields: names };
	throw new WrongInput(
		'Fields is empty',
		'Name at least one field in Fields, or choose another Output',
	);
}
