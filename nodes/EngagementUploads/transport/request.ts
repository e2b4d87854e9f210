/** What a request to an endpoint of the service is, and how to recognise the records that it returns. */
import type { IDataObject } from 'n8n-workflow';
import type { Query } from './address';

/** A request to an endpoint (docs/service.md), and the kind of records it returns. */
export interface ApiRequest<T extends IDataObject = IDataObject> {
	/** What it is for; completes “Could not …”. */
	purpose: string;
	method: 'GET' | 'POST';
	path: string;
	query?: Query;
	body?: IDataObject;
	kind: RecordKind<T>;
}

/** A request, and how it is sent this time. */
export interface Call<T extends IDataObject = IDataObject> extends ApiRequest<T> {
	/** The input item that it is for, which an error then names. */
	itemIndex?: number;
	/** milliseconds; the client's own by default */
	timeout?: number;
	/** Whether a 408 or 5xx is retried; true by default. A caller may prefer to ask for less at once. */
	retriesServerErrors?: boolean;
	/** Once it is aborted, the request is neither sent nor retried, and ends if it is in progress. */
	signal?: AbortSignal;
}

/** How to tell a record from a wrapper, and from other records of its kind. */
export interface RecordKind<T extends IDataObject = IDataObject> {
	/** Every record has at least one of these fields; no wrapper has any. */
	distinctive: readonly string[];
	/** Fields that a wrapper may have too, so they tell a record only if no list is beside them. */
	ambiguous?: readonly string[];
	/** Fields that together identify a record. The first alternative of which it has all fields counts. */
	identity: ReadonlyArray<readonly string[]>;
	/** A response without an identity is unreadable. */
	needsIdentity?: boolean;
	/** Never set: it only ties the kind to the type of its records. */
	readonly type?: T;
}

/** The ID that tells a record from others of its kind, in lower case; undefined if it has none. */
export function recordId(record: IDataObject, kind: RecordKind): string | undefined {
	for (const names of kind.identity) {
		const parts = names.map((name) => record[name]);
		if (parts.every((part) => typeof part === 'string' || typeof part === 'number'))
			return parts.join('\n').toLowerCase();
	}
	return undefined;
}
