/** Resource locators: a record is chosen from a list, or entered in one of several modes. */
import { isObject } from '../values/objects';
import { field } from './field';

/** `modes` are those beside the list; a value from an expression has no mode. */
export const locator = <T>(
	displayName: string,
	description: string,
	{ placeholder, ...search }: { placeholder: string; searchListMethod: string },
	modes: Record<string, readonly [displayName: string, placeholder: string]>,
	parse: (value: unknown, label: string, mode?: unknown) => T,
) => {
	const typeOptions = { ...search, searchable: true };
	const others = Object.entries(modes).map(([name, [label, example]]) => {
		return { displayName: label, name, type: 'string' as const, placeholder: example };
	});
	const list = { displayName: 'From List', name: 'list', type: 'list' as const };
	return field<T>(
		{
			displayName,
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description,
			modes: [{ ...list, placeholder, typeOptions }, ...others],
		},
		(entered, label) =>
			isObject(entered) && Object.hasOwn(entered, 'value')
				? parse(entered.value, label, entered.mode)
				: parse(entered, label),
	);
};
