/**
 * What the fields around the records say: where a list ends, and whether there may be more to an empty one, such
 * as an error with status 200 (docs/service.md#errors).
 */
import type { IDataObject } from 'n8n-workflow';
import { parsePlausibleTime } from '../values/dates';
import { isObject } from '../values/objects';
import { readBoolean } from '../values/scalars';
import { isUnset, scalarText } from '../values/text';

/** Names of a list of records, or of an object around it. */
export const RECORD_NAMES = ['content', 'data', 'items', 'results', '_embedded'];
/** Names of objects that may contain the page fields. */
const PAGE_NAMES = ['page', 'pageable', 'pagination', 'paging', 'meta', 'metadata', '_meta'];

/** The page fields of a list; those that the service did not send are undefined. */
export interface PageFields {
	last?: boolean;
	totalPages?: number;
	totalElements?: number;
	size?: number;
	/** The field by which the list is sorted. */
	sortedBy?: string;
}

/** The page fields in an object, or in objects inside it; the first of each name counts. */
export function parsePageFields(body: IDataObject): PageFields {
	const wrappers = [body, ...RECORD_NAMES.map((name) => body[name])].filter(isObject);
	const sources = wrappers.flatMap((each) => [each, ...PAGE_NAMES.map((name) => each[name])]);
	const fields: PageFields = {};
	for (const source of sources.filter(isObject)) {
		// A number would be that of the last page, also as text.
		const isFlag = /^(true|false)$/i.test(scalarText(source.last));
		if (isFlag) fields.last ??= readBoolean(source.last);
		fields.totalPages ??= readCount(source.totalPages);
		fields.totalElements ??= readCount(source.totalElements);
		fields.size ??= readCount(source.size) ?? readCount(source.pageSize);
		fields.sortedBy ??= findSortField(source);
	}
	return fields;
}

/** The `property` of a list, or of its `sort`, which may be an object or a list of them. */
function findSortField(source: IDataObject): string | undefined {
	const orders = [source, source.sort].flat();
	const names = orders.map((order) => (isObject(order) ? order.property : undefined));
	return names.find((name) => typeof name === 'string');
}

/** Some services send numbers as text. */
function readCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Names of fields that report an error, and of those that say whether the request has succeeded. */
const ERROR = /err|(?<!de)fault|fail|exception/i;
const SUCCESS = /succe|^ok$/i;
const STATUS = /status|code/i;
const GOOD = /^(ok|success|0+|2\d\d)$/i;

/** Whether a field says how the request ended. */
export const isVerdict = (name: string) => [ERROR, SUCCESS, STATUS].some((each) => each.test(name));

/** Whether a response says that there are no records: by a number, or by an empty list. */
export function saysNone(body: unknown, { totalPages, totalElements }: PageFields): boolean {
	if (!isObject(body)) return Array.isArray(body) && body.length === 0;
	const isFilled = RECORD_NAMES.some((name) => hasObjects(body[name]));
	return (!isFilled && (totalElements === 0 || totalPages === 0)) || hasEmptyList(body);
}

/** Whether there is an empty list, or null in its place, and no other list that could be meant. */
function hasEmptyList(body: IDataObject): boolean {
	const named = RECORD_NAMES.map((name) => body[name]);
	if (named.some((value) => value === null || isEmptyList(value))) return true;
	if (named.some((value) => isObject(value) && hasEmptyList(value))) return true;
	const lists = Object.entries(body).filter(([name]) => name !== 'sort' && !isVerdict(name));
	return (
		lists.some(([, value]) => isEmptyList(value)) && !lists.some(([, value]) => hasObjects(value))
	);
}

const hasObjects = (value: unknown) => Array.isArray(value) && value.some(isObject);
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/**
 * The field that casts doubt on a response without records. What is named after an error, success, status or code
 * must be empty or good; so must everything else, unless there are page fields, which no error has. A time, and what
 * the request named (an ID), say nothing.
 */
export function findDoubt(body: unknown, named: ReadonlySet<string>): string | undefined {
	const { last, totalPages, totalElements, size } = isObject(body) ? parsePageFields(body) : {};
	const hasPage = [last, totalPages, totalElements, size].some((field) => field !== undefined);
	return isObject(body) ? findBad(body, hasPage, named) : undefined;
}

function findBad(
	envelope: IDataObject,
	hasPage: boolean,
	named: ReadonlySet<string>,
): string | undefined {
	for (const [name, value] of Object.entries(envelope)) {
		const mayBeAny = hasPage && !isVerdict(name);
		if (isUnset(value)) continue;
		if (typeof value === 'object') {
			const inner = findBad({ ...value } as IDataObject, mayBeAny, named);
			if (inner !== undefined) return `${name}.${inner}`;
		} else if (!mayBeAny && !isGood(name, value, named)) return name;
	}
	return undefined;
}

function isGood(name: string, value: unknown, named: ReadonlySet<string>): boolean {
	if (readBoolean(value) === !ERROR.test(name)) return true;
	// As an error or a code, 0 is good, but not as a success.
	if (SUCCESS.test(name) && readBoolean(value) === false) return false;
	if (isVerdict(name)) return GOOD.test(scalarText(value));
	return (
		GOOD.test(scalarText(value)) ||
		named.has(scalarText(value).toLowerCase()) ||
		parsePlausibleTime(value, 'UTC') !== undefined
	);
}

/** What says that a request has failed, though there are records: an error, or a false success. */
export function findComplaint(body: unknown): IDataObject | undefined {
	if (!isObject(body)) return undefined;
	const says = ([name, value]: [string, unknown]) =>
		/^errors?$/i.test(name)
			? !isUnset(value) && readBoolean(value) !== false
			: SUCCESS.test(name) && readBoolean(value) === false;
	const complaints = Object.entries(body).filter(says);
	return complaints.length > 0 ? Object.fromEntries(complaints) : undefined;
}
