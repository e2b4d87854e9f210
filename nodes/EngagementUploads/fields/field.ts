/** A parameter of a node: how the editor shows it, and how its value is read. */
import type { INodeProperties } from 'n8n-workflow';
import { emptyField } from '../values/inputError';
import { enteredIn, parseCollection, parseList } from '../values/objects';
import { parseBoolean, parseNumber, parseOption } from '../values/scalars';
import { isEmpty, isUnset } from '../values/text';

/** Reads a value; `label` is its name in the editor, `zone` the workflow's. @throws InputError */
export type Parse<T> = (value: unknown, label: string, zone: string) => T;

/** A parameter as the editor shows it, without its name. */
type Property = Omit<INodeProperties, 'name'>;

export interface Field<T> {
	property: Property;
	parse: Parse<T>;
}

/**
 * The parameters of an operation, a node or a collection, by name. A field stands after those that decide
 * whether it is shown, since they are read in this order.
 */
export type Fields = Record<string, Field<unknown>>;
export type ValueOf<F> = F extends Field<infer T> ? T : never;
export type Values<F extends Fields> = { [K in keyof F]: ValueOf<F[K]> };

/** Where values come from: an item of the action node, or a poll. */
export interface Source {
	/** The workflow's time zone. */
	zone: string;
	/** The value of a parameter; undefined if it is not there. @throws the error of an expression */
	value(name: string): unknown;
}

export const field = <T>(property: Property, parse: Parse<T>): Field<T> => ({ property, parse });

/** A text, or a date, which the editor stores as text. */
const entry =
	(type: 'string' | 'dateTime') =>
	<T>(displayName: string, description: string, parse: Parse<T>, more: Partial<Property> = {}) =>
		field({ displayName, type, default: '', description, ...more }, parse);

export const text = entry('string');
export const date = entry('dateTime');

/** Reads a value that has a default, which stands in for a field that was not added. An empty field is an error. */
const orDefault =
	<T>(preset: unknown, parse: Parse<T>): Parse<T> =>
	(value, label, zone) => {
		if (value === undefined) return parse(preset, label, zone);
		if (isEmpty(value)) throw emptyField(label);
		return parse(value, label, zone);
	};

export const flag = (displayName: string, description: string, more: Partial<Property> = {}) =>
	field<boolean>(
		{ displayName, type: 'boolean', default: false, description, ...more },
		// An empty value means no; a flag that is on by default needs an answer.
		more.default === true ? orDefault(true, parseBoolean) : parseBoolean,
	);

interface NumberField {
	default: number;
	min: number;
	max?: number;
	/** What the entered number is multiplied by, such as the milliseconds of a minute. */
	unit?: number;
}

/** A number. With a unit, it need not be whole. */
export function number(
	displayName: string,
	description: string,
	{ default: preset, min, max = Infinity, unit = 1 }: NumberField,
	more: Partial<Property> = {},
): Field<number> {
	const whole = unit === 1;
	const typeOptions = { minValue: Math.ceil(min), ...(max < Infinity && { maxValue: max }) };
	return field(
		{ displayName, type: 'number', typeOptions, default: preset, description, ...more },
		orDefault(preset, (value, label) => unit * parseNumber(value, label, { min, max, whole })),
	);
}

/** One of several values. */
export function choice<T extends string>(
	displayName: string,
	description: string,
	preset: NoInfer<T>,
	values: ChoiceValues<T>,
	more: Partial<Property> = {},
): Field<T> {
	const options = toOptions(values);
	return field(
		{ displayName, type: 'options', options, default: preset, description, ...more },
		orDefault(preset, (value, label) => parseOption(value, label, options)),
	);
}

/** Several of these values; undefined for all of them. */
export function choices<T extends string>(
	displayName: string,
	description: string,
	values: ChoiceValues<T>,
	more: Partial<Property> = {},
): Field<T[] | undefined> {
	const options = toOptions(values);
	return field(
		{ displayName, type: 'multiOptions', options, default: [], description, ...more },
		(value, label) => parseList(value, label)?.map((each) => parseOption(each, label, options)),
	);
}

/** Each value's name, and a description unless the name says it all: `online: ['Online', 'The customer logs in']`. */
type ChoiceValues<T extends string> = Record<T, readonly [name: string, description?: string]>;

/** A hint for a model that builds workflows. */
export const builderHint = (propertyHint: string) => ({ builderHint: { propertyHint } });

const toOptions = <T extends string>(values: ChoiceValues<T>) =>
	(Object.entries(values) as Array<[T, ChoiceValues<T>[T]]>)
		.map(([value, [name, description]]) => ({ name, value, description }))
		.sort((one, other) => one.name.localeCompare(other.name));

/** The same field, but undefined if nothing was entered. */
export const optional = <T>({ property, parse }: Field<T>): Field<T | undefined> => ({
	property,
	parse: (value, label, zone) => (isEmpty(value) ? undefined : parse(value, label, zone)),
});

/** The same field, but shown only if other fields have certain values; undefined while it is hidden. */
export const dependent = <T>(
	displayOptions: NonNullable<Property['displayOptions']>,
	{ property, parse }: Field<T>,
): Field<T | undefined> => ({
	property: { ...property, displayOptions: { ...property.displayOptions, ...displayOptions } },
	parse,
});

/** A collection of fields that the user adds; unknown ones are an error. */
export function collection<F extends Fields>(
	displayName: string,
	placeholder: string,
	fields: F,
	more: Partial<Property> = {},
): Field<Values<F>> {
	const options = toProperties(fields).sort((one, other) =>
		one.displayName.localeCompare(other.displayName),
	);
	return field(
		{ displayName, type: 'collection', placeholder, default: {}, options, ...more },
		(value, label, zone) => {
			const entered = parseCollection(value, label, Object.keys(fields));
			return readFields(fields, { zone, value: (name) => enteredIn(entered, name) });
		},
	);
}

/** The collection Filters. A filter without a value, however that is expressed, matches everything. */
export function filterCollection<F extends Fields>(
	fields: F,
): Field<{ [K in keyof F]: ValueOf<F[K]> | undefined }> {
	const filters = Object.entries(fields).map(([name, { property, parse }]) => {
		const parseSet: Parse<unknown> = (value, label, zone) =>
			isUnset(value) ? undefined : parse(value, label, zone);
		return [name, { property, parse: parseSet }];
	});
	return collection('Filters', 'Add filter', Object.fromEntries(filters) as F);
}

/** Reads a value that must be entered. @throws InputError if it is empty */
export const required =
	<T>(parse: Parse<T | undefined>): Parse<T> =>
	(value, label, zone) => {
		const entered = parse(value, label, zone);
		if (entered === undefined) throw emptyField(label);
		return entered;
	};

/** Fields as n8n describes parameters. */
export function toProperties(fields: Fields): INodeProperties[] {
	return Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));
}

/** Reads the fields that are shown, except `known` ones. @throws InputError that names the field */
export function readFields<F extends Fields>(
	fields: F,
	source: Source,
	known: Partial<Values<F>> = {},
): Values<F> {
	const values: Record<string, unknown> = { ...known };
	for (const [name, each] of Object.entries(fields)) {
		if (Object.hasOwn(known, name)) continue;
		const { property, parse } = each;
		values[name] = isShown(each, values)
			? parse(source.value(name), property.displayName, source.zone)
			: undefined;
	}
	return values as Values<F>;
}

/**
 * Whether a field is shown, by the fields at the same level. n8n leaves out hidden ones, unless that depends on an
 * expression.
 */
function isShown({ property }: Field<unknown>, values: Record<string, unknown>): boolean {
	const { show = {}, hide = {} } = property.displayOptions ?? {};
	const conditions = Object.keys({ ...show, ...hide }).filter((name) => !name.startsWith('/'));
	return conditions.every((name) => {
		const has = (expected: readonly unknown[]) => expected.includes(values[name]);
		return has(show[name] ?? [values[name]]) && !has(hide[name] ?? []);
	});
}
