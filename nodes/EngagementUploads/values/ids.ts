/** IDs of engagements and uploads, as people, spreadsheets and programs write them. */
import { emptyField, InputError, quote } from './inputError';
import { parseList } from './lists';
import { pickField } from './objects';
import { isEmpty, scalarText } from './text';

/** Accepts a decimal place, which spreadsheets add, and leading zeros. */
const ENGAGEMENT_ID = /^0*([1-9]\d{0,15})(?:\.0+)?$/;
/** What records call it. */
const ENGAGEMENT_FIELDS = ['engagementId', 'Id'];
const DECIMAL_PLACE = /^(\d+)\.0+$/;
const UPLOAD_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** An engagement ID, a whole number; `orElse` ends the advice. */
export function parseEngagementId(entered: unknown, field: string, orElse = ''): number {
	const value = pickField(entered, ...ENGAGEMENT_FIELDS);
	const id = Number(ENGAGEMENT_ID.exec(scalarText(value))?.[1]);
	if (Number.isSafeInteger(id)) return id;
	if (isEmpty(value)) throw emptyField(field);
	throw new InputError(
		`${field} ${quote(value)} is not a positive whole number`,
		`Enter a number such as 1001 in ${field}${orElse}`,
	);
}

/** Engagement IDs in any form of a list; undefined if nothing was entered. */
export function parseIds(value: unknown, field: string): number[] | undefined {
	const list = parseList(value, field, ENGAGEMENT_FIELDS, 'separate');
	return list && [...new Set(list.map((entry) => parseEngagementId(entry, field)))];
}

/** An upload ID: a UUID, or a number in older data. */
export function parseUploadId(entered: unknown, field: string): string {
	const value = pickField(entered, 'uploadId');
	if (isEmpty(value)) throw emptyField(field);
	const text = typeof value === 'boolean' ? '' : scalarText(value).replace(DECIMAL_PLACE, '$1');
	if (UPLOAD_ID.test(text)) return text;
	throw new InputError(
		`${field} ${quote(value)} is not an upload ID`,
		`Enter an ID such as 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11 in ${field}`,
	);
}

/** A number without leading zeros and without the decimal place that spreadsheets add. */
export function plainNumber(id: string): string {
	const number = id.replace(DECIMAL_PLACE, '$1');
	return /^\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number;
}
