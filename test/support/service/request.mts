/** A request as the service sees it, without a socket; header names in lower case. */
export interface SimRequest {
	method: string;
	/** Path and query as sent. */
	url: string;
	/** Path as sent, not decoded. */
	path: string;
	/** Decoded; the last one if a parameter is repeated, which the service rejects. */
	query: Record<string, string>;
	headers: Record<string, string | undefined>;
	body: string | undefined;
}

/** A response without a socket: a text body is sent as is, anything else as JSON. */
export interface SimResponse {
	status: number;
	headers: Record<string, string>;
	/** undefined: no body at all. */
	body: unknown;
}

/** Builds a request from what comes over the wire. */
export function simRequest(
	method: string,
	url: string,
	headers: SimRequest['headers'] = {},
	body?: string,
): SimRequest {
	const mark = url.indexOf('?');
	const path = mark < 0 ? url : url.slice(0, mark);
	const query = Object.fromEntries(new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)));
	return { method, url, path, query, headers, body: body === '' ? undefined : body };
}

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
