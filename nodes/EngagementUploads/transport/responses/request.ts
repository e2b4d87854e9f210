/** A request, the kind of records that it returns, and what identifies a record of a kind. */
import type { IDataObject } from 'n8n-workflow';
import type { Query } from '../credential/address';

/** A request to an endpoint (docs/service.md), and the kind of records it returns. */
export interface ApiRequest<T extends IDataObject = IDataObject> {
	/** What it is for; completes “Could not …”. */
	purpose: string;
	itemIndex?: number;
	method: 'GET' | 'POST';
	path: string;
	query?: Query;
	body?: IDataObject;
	kind: RecordKind<T>;
	/** milliseconds; the client's own by default */
	timeout?: number;
	/** Once this returns false, the request is neither sent nor retried. */
	isWanted?(): boolean;
	/** A 408 or 5xx is not retried: the caller narrows down which part of a larger request is at fault. */
	isTriedOnce?: boolean;
}

/** How to tell a record from a wrapper, and from other records of its kind. */
export interface RecordKind<T extends IDataObject = IDataObject> {
	/** Every record has at least one of these fields; no wrapper has any. */
	distinctive: readonly string[];
	/**
	 * Fields that a wrapper may also have: they identify a record only if there is no list next to
	 * them.
	 */
	ambiguous?: readonly string[];
	/** Fields that together identify a record; the first complete alternative counts. */
	identity: ReadonlyArray<readonly string[]>;
	/** A response without an identity is unreadable. */
	needsIdentity?: boolean;
	/** Never set; ties the kind to the type of its records. */
	readonly type?: T;
}

/** The ID that tells a record from others of its kind, in any case; undefined if it has none. */
export function idOf(record: IDataObject, kind: RecordKind): string | undefined {
	for (const names of kind.identity) {
		const parts = names.map((name) => record[name]);
		if (!parts.every((part) => typeof part === 'string' || typeof part === 'number')) continue;
		const id = parts.join('\n');
		// Few IDs have capitals, and to look first is faster.
		return /[A-Z]/.test(id) ? id.toLowerCase() : id;
	}
	return undefined;
}
