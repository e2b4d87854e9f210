/** Numbers, booleans and option values, as users enter them. */
import { InputError, quote } from './inputError';
import { isEmpty } from './text';

/** An empty value is false. */
export function parseBoolean(value: unknown, field: string): boolean {
	if (isEmpty(value)) return false;
	if (typeof value === 'boolean') return value;
	if (value === 'true' || value === 'false') return value === 'true';
	throw new InputError(
		`${field} ${quote(value)} is neither true nor false`,
		`Switch ${field} on or off`,
	);
}

/** A number in a range; a whole number by default. */
export function parseNumber(
	value: unknown,
	field: string,
	min: number,
	max: number,
	whole = true,
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const fits = typeof number === 'number' && number >= min && number <= max;
	if (fits && (!whole || Number.isInteger(number))) return number;
	const kind = whole ? 'a whole number' : 'a number';
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	throw new InputError(
		`${field} ${quote(value)} is not ${kind} ${range}`,
		`Enter ${kind} ${range} in ${field}`,
	);
}

/** One of the values of an options field. */
export function parseOption<T extends string>(
	value: unknown,
	field: string,
	known: readonly T[],
): T {
	const text = typeof value === 'number' ? String(value) : value;
	const found = known.find((entry) => entry === text);
	if (found !== undefined) return found;
	throw new InputError(
		`${field} ${quote(value)} is not a known value`,
		`Use one of: ${known.join(', ')}`,
	);
}
