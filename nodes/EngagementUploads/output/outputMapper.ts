/** The three forms of output: simplified, raw, or selected fields. */
import type { IDataObject } from 'n8n-workflow';
import { valueAt } from '../values/objects';
import { simplify, type RecordSource, type ShapeName } from './simplified';

/** The choice in Output; `fields`: the names for `selectedFields`. */
export type OutputChoice =
	| { form: 'simplified' }
	| { form: 'raw' }
	| { form: 'selectedFields'; fields: string[] };

/** A record in the chosen form. */
export function toOutput(
	record: IDataObject,
	shape: ShapeName,
	choice: OutputChoice,
	source: RecordSource,
): IDataObject {
	// A copy, since items that requested the same record must not share it.
	if (choice.form === 'raw') return { ...record };
	if (choice.form === 'simplified') return simplify(record, shape, source);
	let simple: IDataObject | undefined;
	const values = choice.fields.map((name) => {
		const raw = valueAt(record, name);
		if (raw !== undefined) return [name, raw];
		simple ??= simplify(record, shape, source);
		return [name, valueAt(simple, name) ?? null];
	});
	return Object.fromEntries(values) as IDataObject;
}
