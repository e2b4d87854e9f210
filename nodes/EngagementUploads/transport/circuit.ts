/** When no request is sent, because every one would fail in the same way for now. */
import type { HttpOutcome } from './http';
import { closedUntil, FINAL, type RetryDecision } from './retry';

/** After a new token was rejected, or none could be fetched, no other is fetched for a minute. */
export const TOKEN_RETRY_AFTER = 60_000;

/** While the circuit is open, every request fails with this and none is sent. */
export interface OpenCircuit {
	outcome: HttpOutcome;
	decision: RetryDecision;
	/** epoch milliseconds */
	until: number;
}

/** The circuit that a failure opens; undefined if it concerns a single request. */
export function circuitAfter(
	outcome: HttpOutcome,
	decision: RetryDecision,
	now: number,
): OpenCircuit | undefined {
	const until = closedUntil(decision);
	if (until !== undefined)
		return { outcome, decision: { retry: false, reason: 'tooLong', until }, until };
	const isWithoutToken = 'refused' in outcome && outcome.declared !== undefined;
	return isWithoutToken ? { outcome, decision: FINAL, until: now + TOKEN_RETRY_AFTER } : undefined;
}
