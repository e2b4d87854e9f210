import type { INodeProperties } from 'n8n-workflow';

/** Fields that are shown for one operation of a resource only. */
export function shownFor(
	resource: string,
	operation: string,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			show: { ...field.displayOptions?.show, resource: [resource], operation: [operation] },
		},
	}));
}
