/**
 * The three forms of output: simplified, raw, or selected fields. A simplified record is flat and
 * small, with every field present and the engagement called `engagementId`; its fields are part of
 * each kind of record (records.ts).
 */
import type { IDataObject } from 'n8n-workflow';
import { kinds, type KindName } from './records';
import type { RecordSource } from './shape';
import { isObject, valueAt } from '../values/objects';
import { isAbsent } from '../values/text';

/** The choice in Output; `fields`: the names for `selectedFields`. */
export interface OutputChoice {
	output: 'simplified' | 'raw' | 'selectedFields';
	fields?: string[];
}

/**
 * A record in the chosen form; `onField` is called for each selected field, with whether the record
 * has it.
 */
export function toOutput(
	record: IDataObject,
	kind: KindName,
	{ output, fields = [] }: OutputChoice,
	source: RecordSource,
	onField: (name: string, isPresent: boolean) => void = () => {},
): IDataObject {
	// A copy: items that requested the same record must not share it.
	if (output === 'raw') return { ...record };
	const simple = simplify(record, kind, source);
	if (output === 'simplified') return simple;
	const names = new Set([...kinds[kind].ids, ...fields]);
	const values = [...names].map((name) => {
		const value = selected(simple, record, name);
		onField(name, value !== undefined);
		return [name, value ?? null];
	});
	return Object.fromEntries(values) as IDataObject;
}

/** A field by its exact name, or else in any case; the simplified record takes precedence. */
function selected(simple: IDataObject, record: IDataObject, name: string): unknown {
	for (const anyCase of [false, true]) {
		for (const from of [simple, record]) {
			const value = valueAt(from, name, anyCase);
			if (value !== undefined) return value;
		}
	}
	return undefined;
}

/** The simplified form of a record. */
export function simplify(record: IDataObject, kind: KindName, source: RecordSource): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const [name, read] of Object.entries(kinds[kind].simplified))
		simple[name] = flat(read(record, source) ?? null);
	return simple as IDataObject;
}

/**
 * Lists become the names of their entries, other objects JSON, so that a value fits into a cell.
 */
function flat(value: unknown): unknown {
	if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : value;
	const names = value.map((entry: unknown) => (isObject(entry) ? entry.name : entry));
	return names
		.filter((name) => !isAbsent(name))
		.map(flat)
		.join(', ');
}
