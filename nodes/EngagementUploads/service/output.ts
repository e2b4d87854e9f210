/**
 * The three forms of output: simplified, raw, or selected fields. A simplified record is flat and small, and
 * has all fields that records.ts lists for its kind.
 */
import type { IDataObject } from 'n8n-workflow';
import { kinds, type KindName } from './records';
import type { RecordSource } from './shape';
import { isObject, valueAt } from '../values/objects';
import { isAbsent } from '../values/text';

/** The choice in Output. */
export interface OutputChoice {
	output: 'simplified' | 'raw' | 'selectedFields';
	/** For `selectedFields`. */
	fields?: string[];
}

/** A record in the chosen form. */
export function toOutput(
	record: IDataObject,
	kind: KindName,
	{ output, fields = [] }: OutputChoice,
	source: RecordSource,
): IDataObject {
	// A shallow copy, since items that requested the same record must not share it.
	if (output === 'raw') return { ...record };
	const simple = simplify(record, kind, source);
	if (output === 'simplified') return simple;
	return selectFields([...kinds[kind].ids, ...fields], [simple, record]);
}

/** Fields by name, each from the first of the records that has it. */
export function selectFields(names: string[], records: IDataObject[]): IDataObject {
	const valueOf = (name: string) =>
		records.map((record) => valueAt(record, name)).find((value) => value !== undefined) ?? null;
	return Object.fromEntries(
		[...new Set(names)].map((name) => [name, valueOf(name)]),
	) as IDataObject;
}

/** The fields of the simplified records of each kind, listed once for all of them. */
const simplifiedFields = new Map(
	Object.entries(kinds).map(([kind, { simplified }]) => [kind, Object.entries(simplified)]),
);

/** The simplified form of a record. */
export function simplify(record: IDataObject, kind: KindName, source: RecordSource): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const [name, read] of simplifiedFields.get(kind) ?? [])
		simple[name] = flatten(read(record, source) ?? null);
	return simple as IDataObject;
}

/** A value that fits into a cell: a list becomes the names of its entries, another object JSON. */
function flatten(value: unknown): unknown {
	if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : value;
	const names = value.map((entry: unknown) => (isObject(entry) ? entry.name : entry));
	return names
		.filter((name) => !isAbsent(name))
		.map(flatten)
		.join(', ');
}
