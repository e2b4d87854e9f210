/** The three forms of output: simplified, raw, or selected fields, which are printed as in the simplified record. */
import type { IDataObject } from 'n8n-workflow';
import { printField, simplify, type Kind, type RecordSource } from './kind';

/** The choice in Output. */
export interface OutputChoice {
	output: 'simplified' | 'raw' | 'selectedFields';
	/** For `selectedFields`. */
	fields?: string[];
}

/** A record in the chosen form. */
export function toOutput(
	record: IDataObject,
	kind: Kind,
	{ output, fields = [] }: OutputChoice,
	source: RecordSource,
): IDataObject {
	// A shallow copy, since items that requested the same record must not share it.
	if (output === 'raw') return { ...record };
	const simple = simplify(record, kind, source);
	return output === 'simplified' ? simple : selectFields(fields, simple, record, kind, source);
}

/** Fields by name: those of the simple record, or else of the service's. */
export function selectFields(
	names: string[],
	simple: IDataObject,
	record: IDataObject,
	kind: Kind,
	{ zone }: RecordSource,
): IDataObject {
	const valueOf = (name: string) =>
		Object.hasOwn(simple, name) ? simple[name] : printField(record, name, kind, zone);
	return Object.fromEntries(
		[...new Set([...kind.always, ...names])].map((name) => [name, valueOf(name) ?? null]),
	) as IDataObject;
}
