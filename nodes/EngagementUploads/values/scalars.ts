/** Numbers, booleans and option values, as users enter them and services send them. */
import { plainNumber } from './ids';
import { InputError, quote } from './inputError';
import { isEmpty, scalarText } from './text';

/** A boolean in any spelling; undefined for anything else. */
export function readBoolean(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const text = scalarText(value);
	if (/^(true|yes|1)$/i.test(text)) return true;
	return /^(false|no|0)$/i.test(text) ? false : undefined;
}

/** A boolean; an empty value is false. */
export function parseBoolean(value: unknown, field: string): boolean {
	const read = isEmpty(value) ? false : readBoolean(value);
	if (read !== undefined) return read;
	throw new InputError(
		`${field} ${quote(value)} is neither true nor false`,
		`Turn ${field} on or off, or enter true or false`,
	);
}

/** A number in a range. */
export function parseNumber(
	value: unknown,
	field: string,
	{ min, max, whole }: { min: number; max: number; whole: boolean },
): number {
	// More decimal places could be thousands.
	const isNumeric = typeof value === 'string' && (whole ? /^\d+(\.0)?$/ : /\d/).test(value.trim());
	const number = isNumeric ? Number(value) : value;
	const isInRange = typeof number === 'number' && number >= min && number <= max;
	if (isInRange && (!whole || Number.isInteger(number))) return number;
	const kind = whole ? 'a whole number' : 'a number';
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	throw new InputError(
		`${field} ${quote(value)} is not ${kind} ${range}`,
		`Enter ${kind} ${range} in ${field}`,
	);
}

/** One of the values of an options field, given by value or by name, in any case. */
export function parseOption<T extends string>(
	value: unknown,
	field: string,
	known: ReadonlyArray<{ name: string; value: T }>,
): T {
	const text = toOptionKey(plainNumber(scalarText(value)));
	const found =
		known.find((entry) => toOptionKey(entry.value) === text) ??
		known.find((entry) => toOptionKey(entry.name) === text);
	if (found !== undefined) return found.value;
	const names = known.map(({ name, value: code }) =>
		toOptionKey(name) === toOptionKey(code) ? code : `${name} (${code})`,
	);
	throw new InputError(
		`${field} ${quote(value)} is not a known value`,
		`Use one of: ${names.join(', ')}`,
	);
}

/** The same for `NOT_SCHEDULED` and `Not Scheduled`. */
function toOptionKey(text: string): string {
	return text.toLowerCase().replace(/[\s_]/g, '');
}
