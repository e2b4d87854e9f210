/** Distinguishes failures of a single request from those of the whole poll. */
import { reportOf } from '../transport/failures/errors';
import { isRedirect } from '../transport/http/outcome';
import { MAX_RETRY_AFTER } from '../transport/http/retry';

/**
 * Where the fault lies: in what was asked for; in the `connection`, or in a service that is down for
 * a while, which may affect a single request or all of them; or in the `access` (a token, a key or a
 * quota), so that every other request would fail too.
 */
export function faultOf(error: unknown): 'request' | 'connection' | 'access' {
	const { status, failure, isUnreadable } = reportOf(error) ?? {};
	if (isUnreadable || isRedirect(status)) return 'request';
	if (failure === undefined) return status === undefined ? 'access' : 'request';
	if (failure.cause !== 'temporarily-unavailable') return 'access';
	const isLong = 'retryAfterMs' in failure && (failure.retryAfterMs ?? 0) > MAX_RETRY_AFTER;
	return status === undefined || isLong ? 'connection' : 'request';
}
