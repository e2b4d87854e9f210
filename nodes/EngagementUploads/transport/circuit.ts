/** Blocks all requests for a while if each of them would fail in the same way. */
import type { HttpOutcome } from './http';
import { blockedUntil, FINAL, type RetryDecision } from './retry';

/** After a new token was rejected, or none could be fetched, no other is requested for a minute. */
export const TOKEN_RETRY_AFTER = 60_000;

/** While the circuit is open, every request fails with this outcome, and none is sent. */
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
	const until = blockedUntil(decision);
	if (until !== undefined)
		return { outcome, decision: { retry: false, reason: 'tooLong', until }, until };
	const isWithoutToken = 'refused' in outcome && outcome.declared !== undefined;
	return isWithoutToken ? { outcome, decision: FINAL, until: now + TOKEN_RETRY_AFTER } : undefined;
}
