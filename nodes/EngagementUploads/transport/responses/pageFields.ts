/** What a list says about its pages (docs/service.md#lists-and-pages). */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../values/objects';

/** The page fields of a list; those that the service did not send are undefined. */
export interface PageFields {
	last?: boolean;
	totalPages?: number;
	totalElements?: number;
	number?: number;
	size?: number;
	/** The field by which the list is sorted. */
	sortedBy?: string;
}

/** Objects that may hold the page fields. */
export const PAGE_NAMES = ['page', 'pageable', 'pagination', 'paging', 'meta', 'metadata', '_meta'];

/** The page fields in these objects, or in objects inside them; the first of each name counts. */
export function pageFields(objects: IDataObject[]): PageFields {
	const sources = objects.flatMap((object) => [object, ...PAGE_NAMES.map((name) => object[name])]);
	const fields: PageFields = {};
	for (const source of sources) {
		if (!isObject(source)) continue;
		fields.last ??= flag(source.last);
		fields.totalPages ??= count(source.totalPages);
		fields.totalElements ??= count(source.totalElements);
		fields.number ??= count(source.number) ?? count(source.pageNumber);
		fields.size ??= count(source.size) ?? count(source.pageSize);
		fields.sortedBy ??= sortedBy(source);
	}
	return fields;
}

/** `property` of the list itself, or of its `sort`, which may be an object or several. */
function sortedBy(source: IDataObject): string | undefined {
	const orders = [source, source.sort].flat();
	const names = orders.map((order) => (isObject(order) ? order.property : undefined));
	return names.find((name) => typeof name === 'string');
}

/** Some services send flags and numbers as text. */
function flag(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	return value === 'true' || (value === 'false' ? false : undefined);
}

function count(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}
