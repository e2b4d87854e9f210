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
