/** The fields of an operation, including those inside collections, and how to fill them in. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../nodes/EngagementUploads/actions/operation.ts';
import { toProperties } from '../../../nodes/EngagementUploads/fields/field.ts';

export interface ParameterField {
	/** Such as `limit`, `options.pageSize` or `engagementId (externalId)`. */
	name: string;
	/** Its label in the editor. */
	label: string;
	type: INodeProperties['type'];
	/** Parameters with this value in the field. */
	fill: (parameters: IDataObject, value: unknown) => IDataObject;
}

/** The fields that the editor shows with these parameters. */
export function listFields({ fields }: Operation, parameters: IDataObject): ParameterField[] {
	return toProperties(fields)
		.filter((field) => isShown(field, parameters))
		.flatMap((field) => withInner(field, parameters));
}

/** Whether a field is shown, or may be shown, depending on something other than the parameters. */
function isShown({ displayOptions }: INodeProperties, parameters: IDataObject): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(
		([name, values]) =>
			parameters[name.replace(/^\//, '')] === undefined ||
			(values as unknown[] | undefined)?.includes(parameters[name.replace(/^\//, '')]),
	);
}

function withInner(property: INodeProperties, parameters: IDataObject): ParameterField[] {
	const { name, type, displayName: label, modes = [] } = property;
	const options = (property.options ?? []).filter(
		(option) => !('type' in option) || isShown(option, parameters),
	);
	const shown = Object.fromEntries(
		Object.entries(property.displayOptions?.show ?? {}).map(([key, values]) => [key, values?.[0]]),
	) as IDataObject;
	const fill =
		(enter: (present: unknown, value: unknown) => unknown): ParameterField['fill'] =>
		(parameters, value) => ({
			...shown,
			...parameters,
			[name]: enter(parameters[name], value) as IDataObject,
		});
	if (type === 'resourceLocator') {
		return modes.map(({ name: mode }) => ({
			name: `${name} (${mode})`,
			label,
			type,
			fill: fill((_, value) => ({ __rl: true, mode, value })),
		}));
	}
	if (type === 'collection') {
		return options.map((option) => ({
			name: `${name}.${option.name}`,
			label: 'displayName' in option ? option.displayName : option.name,
			type: 'type' in option ? option.type : type,
			fill: fill((present, value) => ({ ...(present as object), [option.name]: value })),
		}));
	}
	if (type === 'fixedCollection') {
		return ['field', 'direction'].map((part) => ({
			name: `${name}.${part}`,
			label,
			type,
			fill: fill((_, value) => ({ rule: [{ field: 'name', direction: 'asc', [part]: value }] })),
		}));
	}
	return [{ name, label, type, fill: fill((_, value) => value) }];
}
