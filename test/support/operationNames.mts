import type { Operation } from '../../nodes/EngagementUploads/actions/operation.ts';
import { properties } from '../../nodes/EngagementUploads/actions/operations.ts';

/** A resource as the editor shows it. */
export function resourceName(value: string): string {
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	const found = resources.find((each) => 'value' in each && each.value === value);
	return found?.name ?? value;
}

/** An operation as documents call it, such as `Upload > Get Many`. */
export function titleOf({ resource, name }: Operation): string {
	return `${resourceName(resource)} > ${name}`;
}
