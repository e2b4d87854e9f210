/**
 * IDs of engagements, uploads and connectors, as people, spreadsheets and programs write them. Invariant:
 * what can be read in two ways is refused, since a wrong guess would reach another customer.
 */
import { emptyField, InputError, quote } from './inputError';
import { parseList, pickField } from './objects';
import { isEmpty, isUnset, normalizeText, parseQueryText, scalarText } from './text';

const ENGAGEMENT_ID = /^0*([1-9]\d{0,15})$/;
/** What records call the ID of an engagement. */
const ENGAGEMENT_FIELDS = ['engagementId', 'Id'];
/** Spreadsheets add decimal places. */
const DECIMAL_PLACES = /^(\d+)\.0+$/;
const UPLOAD_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const UUID = /^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/i;
/** Three decimal places; or a multiple of a thousand, in countries that group digits with full stops. */
const THOUSAND = /^([1-9]\d{0,2})\.000$/;
/** The same in a list, where it may also be grouped with commas or spaces, or be two IDs. */
const THOUSAND_IN_LIST = /(?<!\d)[1-9]\d{0,2}(?:\.000|(?:,|[^\S\r\n])+0\d\d)(?!\d)/;

/** An engagement ID, a whole number; `alternative` ends the advice. */
export function parseEngagementId(entered: unknown, field: string, alternative = ''): number {
	const value = pickField(entered, ...ENGAGEMENT_FIELDS);
	const id = Number(ENGAGEMENT_ID.exec(withoutDecimals(scalarText(value), field))?.[1]);
	if (Number.isSafeInteger(id)) return id;
	if (isEmpty(value)) throw emptyField(field);
	throw new InputError(
		`${field} ${quote(value)} is not a positive whole number`,
		`Enter a number such as 1001 in ${field}${alternative}`,
	);
}

/** Engagement IDs in any form of a list; undefined if nothing was entered. */
export function parseIds(value: unknown, field: string): number[] | undefined {
	const [grouped] = (typeof value === 'string' && THOUSAND_IN_LIST.exec(value)) || [];
	if (grouped !== undefined) {
		throw new InputError(
			`${field} contains ${quote(grouped)}, which can be read in two ways`,
			`Enter each ID in ${field} without a thousands separator, and separate IDs with semicolons`,
		);
	}
	const list = parseList(value, field, { fields: ENGAGEMENT_FIELDS, separatedBySpaces: true });
	return list && [...new Set(list.map((entry) => parseEngagementId(entry, field)))];
}

/** External IDs in any form of a list; undefined if nothing was entered. */
export function parseExternalIds(value: unknown, label: string): string[] | undefined {
	const ids = parseList(value, label, { fields: ['externalEngagementId'] });
	return ids && [...new Set(ids.map((id) => parseExternalId(id, label)))];
}

/** An external ID, which cannot contain a comma: the service expects comma-separated lists. */
export function parseExternalId(value: unknown, label: string): string {
	const entered = parseQueryText(pickField(value, 'externalEngagementId'), label) ?? '';
	const text = normalizeText(entered);
	if (text === '') throw emptyField(label);
	if (!text.includes(',')) return text;
	throw new InputError(
		`${label} ${quote(text)} contains a comma`,
		'The service separates external IDs with commas. Remove the comma, or use the ID of the engagement',
	);
}

/** An upload ID: a UUID, in lower case with its dashes, or a number in older data. */
export function parseUploadId(entered: unknown, field: string): string {
	const value = pickField(entered, 'uploadId');
	if (isUnset(value)) throw emptyField(field);
	const text = typeof value === 'boolean' ? '' : withoutDecimals(scalarText(value), field);
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

/** A number as text, without `.0`. @throws InputError if it may be a multiple of a thousand */
export function withoutDecimals(text: string, field: string): string {
	const [, digits] = THOUSAND.exec(text) ?? [];
	if (digits === undefined) return text.replace(DECIMAL_PLACES, '$1');
	throw new InputError(
		`${field} ${quote(text)} can be read as ${digits} or as ${digits}000`,
		`Enter ${digits} or ${digits}000 in ${field}`,
	);
}

/** An ID for comparisons with those of the service: a number without leading zeros and `.0`. */
export function plainNumber(id: string): string {
	const number = id.replace(DECIMAL_PLACES, '$1');
	return /^\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number;
}
