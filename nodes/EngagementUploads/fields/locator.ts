/** Resource locators: a record is chosen from a list, or entered in one of several modes. */
import type { INodeProperties } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { field, type Field } from './field';

/** How long a list may take before the editor shows a notice, in milliseconds. */
const SLOW = 5000;

/** The list to choose from. */
interface List {
	placeholder: string;
	searchListMethod: string;
	/** Shown while a list takes long. */
	slowLoadNotice?: string;
}

/** A way to enter the record. */
interface EntryMode {
	displayName: string;
	placeholder: string;
	/** What the editor accepts, which must be everything that `parse` does: n8n would not run the node. */
	pattern?: { regex: string; errorMessage: string };
}

/** `modes` are those beside the list; a value from an expression has no mode. */
export function locator<T>(
	displayName: string,
	description: string,
	list: List,
	modes: Record<string, EntryMode>,
	parse: (value: unknown, label: string, mode?: unknown) => T,
	more: Partial<INodeProperties> = {},
): Field<T> {
	const { placeholder, searchListMethod, slowLoadNotice: message } = list;
	const notice = message !== undefined && { slowLoadNotice: { message, timeout: SLOW } };
	const typeOptions = { searchListMethod, searchable: true, ...notice };
	const listMode = { displayName: 'From List', name: 'list', type: 'list' as const };
	const others = Object.entries(modes).map(([name, { pattern, ...mode }]) => {
		const entered = { ...mode, name, type: 'string' as const };
		return pattern ? { ...entered, validation: [{ type: 'regex', properties: pattern }] } : entered;
	});
	return field<T>(
		{
			displayName,
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description,
			modes: [{ ...listMode, placeholder, typeOptions }, ...others],
			...more,
		},
		(entered, label) =>
			isObject(entered) && Object.hasOwn(entered, 'value')
				? parse(entered.value, label, entered.mode)
				: parse(entered, label),
	);
}
