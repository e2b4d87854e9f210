/** Resource locators: fields in which a record is chosen from a list, or entered in one of several ways. */
import type { INodeProperties, INodePropertyModeTypeOptions } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { field, type Field } from './field';

type Mode = readonly [
	displayName: string,
	placeholder: string,
	/** Must accept all that `parse` does, since n8n does not run a node with any other value. */
	pattern?: { regex: string; errorMessage: string },
];

/** `modes` are the other ways than the list. A value from an expression has no mode. */
export const locator = <T>(
	displayName: string,
	description: string,
	{ placeholder, ...search }: INodePropertyModeTypeOptions & { placeholder: string },
	modes: Record<string, Mode>,
	parse: (value: unknown, label: string, mode?: unknown) => T,
	more: Partial<INodeProperties> = {},
): Field<T> => {
	const typeOptions = { ...search, searchable: true };
	const others = Object.entries(modes).map(([name, [label, example, pattern]]) => {
		const mode = { displayName: label, name, type: 'string' as const, placeholder: example };
		return pattern ? { ...mode, validation: [{ type: 'regex', properties: pattern }] } : mode;
	});
	const list = { displayName: 'From List', name: 'list', type: 'list' as const };
	return field(
		{
			displayName,
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description,
			modes: [{ ...list, placeholder, typeOptions }, ...others],
			...more,
		},
		(entered, label) =>
			isObject(entered) && Object.hasOwn(entered, 'value')
				? parse(entered.value, label, entered.mode)
				: parse(entered, label),
	);
};
