/** Paths and queries of requests, kept within the longest URL that the service is sent. */
import { CLIENT_ID } from './address';

export type Query = Record<string, string | number | boolean | undefined>;

/** Characters that no URL exceeds. */
export const LONGEST_URL = 2000;

const UUID_LENGTH = 36;
const PAGE_QUERY_ROOM = 40;

/** A path of the interface with its parts encoded, so that what a user entered stays one part. */
export function path(texts: TemplateStringsArray, ...parts: Array<string | number>): string {
	return texts.reduce(
		(whole, text, index) => whole + encodeURIComponent(String(parts[index - 1])) + text,
	);
}

/** A path with a query; the commas of lists and the colons of times stay readable. */
export function withQuery(target: string, query: Query): string {
	const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
	const search = pairs.map(
		([name, value]) => `${encodeURIComponent(name)}=${encodeValue(String(value))}`,
	);
	return `${target}${search.length > 0 ? '?' : ''}${search.join('&')}`;
}

/** How long a URL is once the client ID stands in its place. */
export function lengthOf(url: string): number {
	return url.includes(CLIENT_ID) ? url.length - CLIENT_ID.length + UUID_LENGTH : url.length;
}

/** Characters that are left behind a URL and the page parameters. */
export function roomBehind(url: string): number {
	return LONGEST_URL - lengthOf(url) - PAGE_QUERY_ROOM;
}

function encodeValue(value: string): string {
	return encodeURIComponent(value).replace(/%2C/g, ',').replace(/%3A/g, ':');
}
