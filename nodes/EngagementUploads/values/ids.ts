/**
 * IDs of engagements, uploads and connectors, as people, spreadsheets and programs write them. Invariant:
 * what can be read in two ways is refused, since a wrong guess would reach another customer.
 */
import { emptyField, InputError, quote } from './inputError';
import { parseList } from './objects';
import { isEmpty, isUnset, normalizeText, parseText, scalarText } from './text';

/**
 * Spreadsheets and programs add `.0`. With more decimal places, or a zero in front, it could be part of a number that is
 * grouped by thousands, such as 1.000 or 1,001.
 */
const ENGAGEMENT_ID = /^([1-9]\d{0,15})(?:\.0)?$/;
const UPLOAD_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const UUID = /^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/i;
/** An engagement ID, a whole number; `alternative` ends the advice. */
export function parseEngagementId(value: unknown, field: string, alternative = ''): number {
	const id = Number(ENGAGEMENT_ID.exec(scalarText(value))?.[1]);
	if (Number.isSafeInteger(id)) return id;
	if (isEmpty(value)) throw emptyField(field);
	throw new InputError(
		`${field} ${quote(value)} is not a positive whole number`,
		`Enter a number such as 1001 in ${field}${alternative}`,
	);
}

/** Engagement IDs in any form of a list; undefined if nothing was entered. */
export function parseIds(value: unknown, field: string): number[] | undefined {
	const list = parseList(value, field);
	const alternative = ', or use the filter External Engagement IDs';
	return list && [...new Set(list.map((entry) => parseEngagementId(entry, field, alternative)))];
}

/** External IDs in any form of a list; undefined if nothing was entered. */
export function parseExternalIds(value: unknown, label: string): string[] | undefined {
	const ids = parseList(value, label);
	return ids && [...new Set(ids.map((id) => parseExternalId(id, label)))];
}

/** An external ID, which cannot contain a comma: the service expects comma-separated lists. */
export function parseExternalId(value: unknown, label: string): string {
	const text = normalizeText(parseText(value, label) ?? '');
	if (text === '') throw emptyField(label);
	if (!text.includes(',')) return text;
	throw new InputError(
		`${label} ${quote(text)} contains a comma`,
		'The service separates external IDs with commas. Remove the comma, or use the ID of the engagement',
	);
}

/** An upload ID: a UUID, in lower case with its dashes, or a number. */
export function parseUploadId(value: unknown, field: string): string {
	if (isUnset(value)) throw emptyField(field);
	const text = typeof value === 'boolean' ? '' : scalarText(value);
	if (UPLOAD_ID.test(text)) return toUuid(text);
	throw new InputError(
		`${field} ${quote(value)} is not an upload ID`,
		`Enter an ID such as 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11 in ${field}`,
	);
}

/** A UUID in the usual spelling, for comparisons too; other texts are kept. */
export function toUuid(text: string): string {
	return UUID.test(text) ? text.toLowerCase().replace(UUID, '$1-$2-$3-$4-$5') : text;
}

/** An ID for comparisons with those of the service: a whole number without `.0`. */
export function plainNumber(id: string): string {
	return id.replace(/^(\d+)\.0$/, '$1');
}
