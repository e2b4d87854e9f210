/** What is sent to the service, and how. */
import type { IDataObject } from 'n8n-workflow';
import type { Query } from './http/url';
import type { RecordKind } from './lists/recordKind';

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
	/** A 5xx is not retried: the caller narrows down which part of a larger request is at fault. */
	isTriedOnce?: boolean;
	/** Follows up on an earlier request, so it is sent ahead of queued ones. */
	isFollowUp?: boolean;
	/** What has to be known at the time when an attempt is sent. */
	knowledge?: Knowledge;
}

/** What a request relies on, which goes out of date while the request waits to be sent. */
export interface Knowledge {
	isCurrent(): boolean;
	/** Sends requests of its own; the slot of the waiting request is free meanwhile. */
	update(): Promise<void>;
}

/** How all requests of one execution are sent. */
export interface ClientOptions {
	/** maximum number of parallel requests */
	parallel: number;
	/** timeout of a request in milliseconds */
	timeout: number;
	/** deadline for everything, on the monotonic clock; a wait beyond it becomes an error */
	deadline?: number;
}
