/** The three forms of output: simplified, raw, or selected fields. */
import type { IDataObject } from 'n8n-workflow';
import { valueAt } from '../values/objects';
import type { KindName } from '../api/records';
import type { RecordSource } from '../api/shape';
import { simplify } from './simplified';

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
	const values = fields.map((name) => {
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
