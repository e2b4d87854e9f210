/**
 * A request, and what its response consists of: records of a kind, and the page fields of a list
 * (docs/service.md#lists-and-pages).
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../values/objects';
import type { Query } from '../credential/address';

/** A request to an endpoint (docs/service.md), and the kind of records it returns. */
export interface ApiRequest<T extends IDataObject = IDataObject> {
	/** What it is for; completes “Could not …”. */
	purpose: string;
	itemIndex?: number;
	method: 'GET' | 'POST';
	path: string;
	query?: Query;
	body?: IDataObject;
	kind: RecordKind<T>;
	/** milliseconds; the client's own by default */
	timeout?: number;
	/** Once this returns false, the request is neither sent nor retried. */
	isWanted?(): boolean;
	/** A 408 or 5xx is not retried: the caller narrows down which part of a larger request is at fault. */
	isTriedOnce?: boolean;
}

/** How to tell a record from a wrapper, and from other records of its kind. */
export interface RecordKind<T extends IDataObject = IDataObject> {
	/** Every record has at least one of these fields; no wrapper has any. */
	distinctive: readonly string[];
	/**
	 * Fields that a wrapper may also have: they identify a record only if there is no list next to
	 * them.
	 */
	ambiguous?: readonly string[];
	/** Fields that together identify a record; the first complete alternative counts. */
	identity: ReadonlyArray<readonly string[]>;
	/** A response without an identity is unreadable. */
	needsIdentity?: boolean;
	/** Never set; ties the kind to the type of its records. */
	readonly type?: T;
}

/** The ID that tells a record from others of its kind, in any case; undefined if it has none. */
export function idOf(record: IDataObject, kind: RecordKind): string | undefined {
	for (const names of kind.identity) {
		const parts = names.map((name) => record[name]);
		if (!parts.every((part) => typeof part === 'string' || typeof part === 'number')) continue;
		const id = parts.join('\n');
		// Few IDs have capitals, and to look first is faster.
		return /[A-Z]/.test(id) ? id.toLowerCase() : id;
	}
	return undefined;
}

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
