/** How an exchange with the service, or with its token endpoint, ended. */
import { findCodedError, originalMessage } from '../n8nCompat';

export type Outcome =
	/** A response; `text` is its body as sent. */
	| { status: number; headers: Record<string, unknown>; text: string }
	/** No response, because of the network; `code` is e.g. `ECONNREFUSED`. */
	| { failure: NetworkFailure; code?: string }
	/** A response that cannot be read, and why. */
	| { unreadable: string; text?: string; advice?: string }
	/** Not sent, because no token could be fetched: the outcome of the token request. */
	| { withoutToken: Outcome }
	/** Not sent, for a reason in the editor's terms. */
	| { notSent: string };

/**
 * `unsent`: no connection was made. `proxy`: a proxy did not make it. `lost`: it broke, or the
 * response was cut off. `unsendable`: a header contains an invalid character. `untrusted`: the
 * connection would not be secure.
 */
export type NetworkFailure = 'unsent' | 'proxy' | 'lost' | 'timeout' | 'unsendable' | 'untrusted';

const UNSENT =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/;
const UNSENT_MESSAGE = /^connect |before secure TLS connection was established/;
const TIMEOUT = /^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED|ABORT_ERR)$/;
const UNTRUSTED = /CERT|SELF_SIGNED|ALTNAME|^EPROTO$|SSL|TLS|LEAF_SIGNATURE|_CA$|_MISMATCH$/;
const UNPACKABLE = /^Z_/;
const UNSENDABLE = /^ERR_INVALID/;
/** What the HTTP client's proxy agents say, without a code, if a proxy closes the connection. */
const PROXY_MESSAGE = /proxy connection|CONNECT response/i;

/** The outcome of a request for which n8n's HTTP helper threw this error. */
export function outcomeOf(error: unknown): Outcome {
	const message = originalMessage(error);
	if (PROXY_MESSAGE.test(message)) return { failure: 'proxy' };
	const found = findCodedError(error);
	if (found === undefined) return { unreadable: message };
	if (UNPACKABLE.test(found.code)) return { unreadable: 'it could not be decompressed' };
	return { failure: failureOf(found.code, found.message), code: found.code };
}

function failureOf(code: string, message: string): NetworkFailure {
	if (UNSENT.test(code) || UNSENT_MESSAGE.test(message)) return 'unsent';
	if (TIMEOUT.test(code)) return 'timeout';
	if (UNSENDABLE.test(code)) return 'unsendable';
	return UNTRUSTED.test(code) ? 'untrusted' : 'lost';
}

/** Whether an HTTP status means success. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** Whether the service did not accept the token, or the key. */
export function isRejectedToken(outcome: Outcome): boolean {
	return 'status' in outcome && outcome.status === 401;
}

/** Whether an HTTP status names another address; 304 does not. */
export function isRedirect(status = 0): boolean {
	return [301, 302, 303, 307, 308].includes(status);
}
