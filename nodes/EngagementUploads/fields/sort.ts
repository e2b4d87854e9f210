/** Sort: rules that become `orderBy` (docs/service.md#lists-and-pages). */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { InputError } from '../values/inputError';
import { parseCollection } from '../values/objects';
import { parseOption } from '../values/scalars';
import { requiredText } from '../values/text';
import type { Item } from './item';

const FIELD_NAME = /^[A-Za-z][\w.]{0,99}$/;

/** The field Sort for records with these fields. */
export function sortField(fields: INodePropertyOptions[]): INodeProperties {
	return {
		displayName: 'Sort',
		name: 'sort',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add sort rule',
		default: {},
		description: 'Order of the list. A second rule breaks ties.',
		options: [
			{
				displayName: 'Rule',
				name: 'rule',
				values: [
					{
						displayName: 'Field',
						name: 'field',
						type: 'options',
						options: fields,
						default: '',
						description: 'Field to sort by. Use an expression for a field that is not listed.',
					},
					{
						displayName: 'Direction',
						name: 'direction',
						type: 'options',
						options: [
							{
								name: 'Ascending',
								value: 'asc',
								description: 'A to Z, low to high, oldest first',
							},
							{
								name: 'Descending',
								value: 'desc',
								description: 'Z to A, high to low, newest first',
							},
						],
						default: 'asc',
						description: 'Sort direction',
					},
				],
			},
		],
	};
}

/** The value of `orderBy`; undefined without rules. */
export function orderByOf(item: Item): string | undefined {
	return item.read('sort', 'Sort', (value, field) => {
		const { rule = [] } = parseCollection(value, field, ['rule']);
		const rules = Array.isArray(rule) ? rule : [rule];
		return rules.length === 0 ? undefined : rules.map(sortTerm).join(',');
	});
}

function sortTerm(rule: unknown): string {
	const { field, direction } = parseCollection(rule, 'Sort', ['field', 'direction']);
	const name = requiredText(field, 'Sort Field');
	if (!FIELD_NAME.test(name)) {
		throw new InputError(
			`Sort Field “${name.slice(0, 60)}” is not a field name`,
			'Choose a field in Sort',
		);
	}
	return parseOption(direction ?? 'asc', 'Sort Direction', ['asc', 'desc']) === 'desc'
		? `-${name}`
		: name;
}
