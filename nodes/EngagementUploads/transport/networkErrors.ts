/** What an error of the network, as Node.js and n8n's HTTP client throw it, tells. */
import { isObject } from './answers';

/**
 * `unsent`: the connection was never made. `lost`: it broke, or the answer was cut off. `unpackable`:
 * the answer is not compressed as it says. `unsendable`: a header holds what no header can.
 * `untrusted`: the connection would not be safe.
 */
export type NetworkErrorKind =
	| 'unsent'
	| 'lost'
	| 'timeout'
	| 'unpackable'
	| 'unsendable'
	| 'untrusted';

const UNSENT =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/;
const TIMEOUT = /^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED|ABORT_ERR)$/;
const UNTRUSTED = /CERT|SELF_SIGNED|ALTNAME|^EPROTO$|SSL|TLS/;
const UNPACKABLE = /^Z_/;
const UNSENDABLE = /^ERR_INVALID/;

/** The code of an error, if it has one, and what it means. */
export function toNetworkError(
	error: object,
): { code: string; trouble: NetworkErrorKind } | undefined {
	const { code, syscall } = error as { code?: unknown; syscall?: unknown };
	return typeof code === 'string' ? { code, trouble: troubleOf(code, syscall) } : undefined;
}

/** That of the first error that has a code: n8n wraps what its HTTP client threw. */
export function findNetworkError(error: unknown): ReturnType<typeof toNetworkError> {
	if (!isObject(error)) return undefined;
	return toNetworkError(error) ?? findNetworkError(error.cause);
}

function troubleOf(code: string, syscall: unknown): NetworkErrorKind {
	if (UNSENT.test(code) || syscall === 'connect') return 'unsent';
	if (TIMEOUT.test(code)) return 'timeout';
	if (UNPACKABLE.test(code)) return 'unpackable';
	if (UNSENDABLE.test(code)) return 'unsendable';
	return UNTRUSTED.test(code) ? 'untrusted' : 'lost';
}
