/** What the network errors of Node.js and n8n's HTTP client mean. */
import { isObject } from '../values/objects';

/**
 * `unsent`: the connection was never made. `lost`: it broke, or the answer was cut off. `unpackable`:
 * the answer is not compressed as it claims. `unsendable`: a header holds what no header can.
 * `untrusted`: the connection would not be safe.
 */
export type NetworkErrorKind =
	| 'unsent'
	| 'lost'
	| 'timeout'
	| 'unpackable'
	| 'unsendable'
	| 'untrusted';

export interface NetworkError {
	/** e.g. `ECONNREFUSED` */
	code: string;
	kind: NetworkErrorKind;
}

const UNSENT =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/;
const TIMEOUT = /^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED|ABORT_ERR)$/;
const UNTRUSTED = /CERT|SELF_SIGNED|ALTNAME|^EPROTO$|SSL|TLS/;
const UNPACKABLE = /^Z_/;
const UNSENDABLE = /^ERR_INVALID/;

/** The network error that an error itself is, if it has a code. */
export function toNetworkError(error: object): NetworkError | undefined {
	const { code, syscall } = error as { code?: unknown; syscall?: unknown };
	return typeof code === 'string' ? { code, kind: kindOf(code, syscall) } : undefined;
}

/** The first network error in a chain of causes: n8n wraps what its HTTP client threw. */
export function findNetworkError(error: unknown): NetworkError | undefined {
	if (!isObject(error)) return undefined;
	return toNetworkError(error) ?? findNetworkError(error.cause);
}

function kindOf(code: string, syscall: unknown): NetworkErrorKind {
	if (UNSENT.test(code) || syscall === 'connect') return 'unsent';
	if (TIMEOUT.test(code)) return 'timeout';
	if (UNPACKABLE.test(code)) return 'unpackable';
	if (UNSENDABLE.test(code)) return 'unsendable';
	return UNTRUSTED.test(code) ? 'untrusted' : 'lost';
}
