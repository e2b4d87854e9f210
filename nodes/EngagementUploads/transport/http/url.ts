/** Paths and queries of requests, and their maximum length. */
import { InputError, quote } from '../../values/inputError';
import { HALF_CHARACTER } from '../../values/text';
import { CLIENT_ID } from './address';

export type Query = Record<string, string | number | boolean | undefined>;

/** Maximum length of a URL. */
const MAX_URL_LENGTH = 2000;
/** Maximum length of an ID in a URL: two of them leave room for everything else. */
const MAX_ID_LENGTH = 500;

const UUID_LENGTH = 36;
const PAGE_QUERY_LENGTH = 40;

/** Whether a URL can contain an ID of a record, which may be any text. */
export function fitsUrl(id: string): boolean {
	return !HALF_CHARACTER.test(id) && encodeURIComponent(id).length <= MAX_ID_LENGTH;
}

/** A path with encoded segments, so that user input stays one segment. */
export function path(texts: TemplateStringsArray, ...parts: Array<string | number>): string {
	return texts.reduce(
		(whole, text, index) => whole + encodeURIComponent(String(parts[index - 1])) + text,
	);
}

/** A path with a query; commas in lists and colons in times stay readable. */
export function withQuery(target: string, query: Query): string {
	const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
	const search = pairs.map(
		([name, value]) => `${encodeURIComponent(name)}=${encodeValue(String(value))}`,
	);
	return `${target}${search.length > 0 ? '?' : ''}${search.join('&')}`;
}

/** The URL of a request. @throws InputError if no service would accept it */
export function requestUrl(base: string, target: string, query: Query = {}): string {
	const broken = Object.entries(query).find((entry) => HALF_CHARACTER.test(entry.join('')));
	if (broken !== undefined) {
		throw new InputError(
			`The value of ${quote(broken[0])} contains an invalid character`,
			'Enter it again without the invalid character',
		);
	}
	const url = withQuery(`${base}${target}`, query);
	if (urlLength(url) <= MAX_URL_LENGTH) return url;
	throw new InputError(
		`The values entered are too long for one request (${urlLength(url)} of at most ${MAX_URL_LENGTH} characters)`,
		'Shorten them, or split them across several items',
	);
}

/** The length of a URL with the client ID filled in. */
function urlLength(url: string): number {
	return url.includes(CLIENT_ID) ? url.length - CLIENT_ID.length + UUID_LENGTH : url.length;
}

/** Characters left after a URL and its page parameters. */
export function remainingLength(base: string, target: string, query: Query = {}): number {
	return MAX_URL_LENGTH - urlLength(withQuery(`${base}${target}`, query)) - PAGE_QUERY_LENGTH;
}

function encodeValue(value: string): string {
	return encodeURIComponent(value).replace(/%2C/g, ',').replace(/%3A/g, ':');
}
