/** The three forms in which records come out: simplified, raw, or selected fields. */
import type { IDataObject } from 'n8n-workflow';
import { simplified, valueAt, type RecordSource, type ShapeName } from './simplified';

/** What the user chose in Output; `fields` are the names for `selectedFields`. */
export type OutputChoice =
	| { form: 'simplified' }
	| { form: 'raw' }
	| { form: 'selectedFields'; fields: string[] };

/** A record of the service in the form that was chosen. */
export function shaped(
	record: IDataObject,
	shape: ShapeName,
	choice: OutputChoice,
	source: RecordSource,
): IDataObject {
	// A copy: items that asked for the same record must not share it.
	if (choice.form === 'raw') return { ...record };
	if (choice.form === 'simplified') return simplified(record, shape, source);
	let simple: IDataObject | undefined;
	const values = choice.fields.map((name) => {
		const raw = valueAt(record, name);
		if (raw !== undefined) return [name, raw];
		simple ??= simplified(record, shape, source);
		return [name, valueAt(simple, name) ?? null];
	});
	return Object.fromEntries(values) as IDataObject;
}
