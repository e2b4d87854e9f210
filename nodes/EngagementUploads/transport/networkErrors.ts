/** Classifies the network errors of Node.js and n8n's HTTP client. */
import { findCodedError, type CodedError } from './n8nCompat';

/**
 * `unsent`: no connection was made. `lost`: it broke, or the response was cut off. `unpackable`:
 * the response cannot be decompressed. `unsendable`: a header contains an invalid
 * character. `untrusted`: the connection would not be secure.
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

/** The network error that n8n's HTTP helper threw; undefined if it threw something else. */
export function findNetworkError(error: unknown): NetworkError | undefined {
	const found = findCodedError(error);
	return found && { code: found.code, kind: kindOf(found) };
}

function kindOf({ code, message }: CodedError): NetworkErrorKind {
	if (UNSENT.test(code) || message.startsWith('connect ')) return 'unsent';
	if (TIMEOUT.test(code)) return 'timeout';
	if (UNPACKABLE.test(code)) return 'unpackable';
	if (UNSENDABLE.test(code)) return 'unsendable';
	return UNTRUSTED.test(code) ? 'untrusted' : 'lost';
}
