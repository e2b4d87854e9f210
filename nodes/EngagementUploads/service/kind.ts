/**
 * How a kind of record is described (records.ts, uploadRecords.ts): what identifies it, the fields that the service documents, and
 * its simplified form. From that follow the type of its records, how they are recognised in a response
 * (transport/responses.ts), the three forms of output, Fields, and the tables in docs/service.md.
 */
import type { IDataObject } from 'n8n-workflow';
import type { RecordKind } from '../transport/request';
import { toCalendarDay, toIsoTime } from '../values/dates';
import { isObject, valueAt } from '../values/objects';
import { readBoolean } from '../values/scalars';
import { isAbsent } from '../values/text';

/** A documented field. */
interface RecordField<Sent = unknown> {
	type: string;
	/** For docs/service.md, and for the editor's list of fields. */
	meaning: string;
	/** Its value in the output; anything else than its type is returned unchanged. */
	print(value: unknown, zone: string): unknown;
	/** Never set: it only ties the field to the type of its values. */
	readonly sent?: Sent;
}

export type RecordFields = Readonly<Record<string, RecordField>>;

const fieldType =
	<Sent>(type: string, print: RecordField['print'] = (value) => value) =>
	(meaning: string): RecordField<Sent> => ({ type, meaning, print });

/** What the service sends in a field. */
export const sent = {
	text: fieldType<string | number>('text'),
	uuid: fieldType<string>('UUID'),
	/** Some services send numbers as text. */
	number: fieldType<number | string>('number', (value) =>
		typeof value === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value,
	),
	/** In any spelling. */
	flag: fieldType<boolean | string | number>('flag', (value) => readBoolean(value) ?? value),
	/** ISO 8601 with or without an offset, or epoch milliseconds; printed as ISO 8601 in UTC. */
	time: fieldType<string | number>('time', toIsoTime),
	/** A calendar day. */
	day: fieldType<string | number>('day', toCalendarDay),
	list: fieldType<string[]>('list'),
};

/** Fields that occur in many records, and mean the same in all. */
export const identifiers = {
	clientId: sent.uuid('Your account; from the token endpoint'),
	engagementId: sent.number('ID of the engagement'),
	externalEngagementId: sent.text('Your own ID, given when the engagement is created'),
	uploadId: sent.uuid('ID of the upload'),
	connectorName: sent.text('Code of the connector, such as cloudbooks'),
};

/** A record as the service sends it, in which any field may be missing. Fields of nested records are not typed. */
export type RecordOf<F extends RecordFields> = IDataObject & {
	[Name in keyof F as Name extends `${string}.${string}`
		? never
		: Name]?: F[Name] extends RecordField<infer Sent> ? Sent | null : never;
};

/** What is needed to print a record, besides the record itself. */
interface RecordSource {
	/** IANA zone of times without an offset */
	zone: string;
	/** the requested engagement, for records that do not name theirs */
	engagementId?: number;
}

type Read = (record: IDataObject, source: RecordSource) => unknown;

/** A field of the simplified record that is computed. */
interface Computed {
	meaning: string;
	read: Read;
}

interface Description<F extends RecordFields>
	extends Pick<RecordKind, 'id' | 'recognisedBy' | 'mayBeEmpty' | 'ifEmpty'> {
	fields: F;
	/**
	 * The fields of the simplified record, in order. Each has the value of the first listed field that has one, or is
	 * computed.
	 */
	simplified: Record<string, readonly string[] | Computed>;
	/** The fields of the simplified record that every output contains. */
	always: readonly string[];
}

export interface Kind<F extends RecordFields = RecordFields> extends Description<F> {
	/** The simplified record, field by field. */
	readers: ReadonlyArray<readonly [name: string, read: Read]>;
	readonly type?: RecordOf<F>;
}

/** Describes a kind of record. */
export function kind<F extends RecordFields>(description: Description<F>): Kind<F> {
	const { fields, simplified } = description;
	const readers = Object.entries(simplified).map(([name, from]) => {
		if ('read' in from) return [name, from.read] as const;
		const { print = (value: unknown) => value } =
			from.map((each) => fields[each]).find((field) => field !== undefined) ?? {};
		// Only a name with a dot needs `valueAt`, which is too slow for every field of a long list.
		const finders = from.map((each) =>
			each.includes('.')
				? (record: IDataObject) => valueAt(record, each)
				: (record: IDataObject) => record[each],
		);
		const read: Read = (record, source) => {
			for (const find of finders) {
				const value = find(record);
				if (value !== undefined && value !== null) return print(value, source.zone);
			}
			return name === 'engagementId' ? source.engagementId : null;
		};
		return [name, read] as const;
	});
	return { ...description, readers };
}

export const computed = (meaning: string, read: Read): Computed => ({ meaning, read });

/** Fields of the simplified record that are called as the service calls them. */
export const same = (...names: string[]): Record<string, readonly string[]> =>
	Object.fromEntries(names.map((name) => [name, [name]]));

/** The simplified form of a record: all of its fields, flat. */
export function simplify(
	record: IDataObject,
	{ readers }: Kind,
	source: RecordSource,
): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const [name, read] of readers) simple[name] = flatten(read(record, source) ?? null);
	return simple as IDataObject;
}

/** A field of a record by name, printed if it is documented. */
function printField(record: IDataObject, name: string, { fields }: Kind, zone: string) {
	const value = valueAt(record, name);
	const print = Object.hasOwn(fields, name) ? fields[name]?.print : undefined;
	if (print === undefined || value === undefined) return value;
	// A dot may lead through a list.
	const isMany = name.includes('.') && Array.isArray(value);
	return isMany ? value.map((each) => print(each, zone)) : print(value, zone);
}

/** Fields that are the same in all records. */
const ACCOUNT = ['clientId', 'clientUuid'];

/**
 * What a user may choose to return, with its meaning: the simplified record, and the documented fields that are
 * not in it.
 */
export function meanings({ fields, simplified }: Kind): Record<string, string> {
	const own = Object.entries(simplified).map(([name, from]): [string, string] => {
		if ('read' in from) return [name, from.meaning];
		const [meaning = 'The engagement that was asked for'] = from.flatMap(
			(each) => fields[each]?.meaning ?? [],
		);
		return [name, meaning];
	});
	const sources = Object.values(simplified).flatMap((from) => ('read' in from ? [] : from));
	const known = [...Object.keys(simplified), ...sources, ...ACCOUNT];
	const others = Object.entries(fields).filter(([name]) => !known.includes(name));
	return Object.fromEntries([...own, ...others.map(([name, { meaning }]) => [name, meaning])]);
}

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

/** A value that fits into a cell: a list becomes the names of its entries, another object JSON. */
function flatten(value: unknown): unknown {
	if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : value;
	const names = value.map((entry: unknown) => (isObject(entry) ? entry.name : entry));
	return names
		.filter((name) => !isAbsent(name))
		.map(flatten)
		.join(', ');
}
