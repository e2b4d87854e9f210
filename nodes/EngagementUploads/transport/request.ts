/** Requests to endpoints of the service, and the kinds of records that they return. */
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
	/** Whether a 408 or 5xx is retried, by default; a caller may rather ask for less at once. */
	retriesServerErrors?: boolean;
	/** Once it is aborted, the request is neither sent nor retried, and one under way ends. */
	signal?: AbortSignal;
}

/** How to tell a record from a wrapper, and from other records of its kind. */
export interface RecordKind<T extends IDataObject = IDataObject> {
	/** Every record has at least one of these fields; no wrapper has any. */
	distinctive: readonly string[];
	/** Fields that a wrapper may have too: they identify a record only if no list is next to them. */
	ambiguous?: readonly string[];
	/** Fields that together identify a record; the first complete alternative counts. */
	identity: ReadonlyArray<readonly string[]>;
	/** A response without an identity is unreadable. */
	needsIdentity?: boolean;
	/** Never set; ties the kind to the type of its records. */
	readonly type?: T;
}

/** The ID that tells a record from others of its kind, in any case; undefined if it has none. */
export function recordId(record: IDataObject, kind: RecordKind): string | undefined {
	for (const names of kind.identity) {
		const parts = names.map((name) => record[name]);
		if (parts.every((part) => typeof part === 'string' || typeof part === 'number'))
			return parts.join('\n').toLowerCase();
	}
	return undefined;
}
