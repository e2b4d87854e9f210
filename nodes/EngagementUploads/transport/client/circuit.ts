/**
 * Holds back requests that would fail: all of a run for as long as the service asks, even under Retry On
 * Fail; and those of one client for a minute after no token could be fetched. After a new token was
 * rejected too, no token is fetched for a minute.
 */
import { runOf } from '../n8nCompat';
import { isRejectedToken, type Outcome } from '../http/exchange';
import type { Clock } from '../http/clock';
import { blockedFor, type GivenUp, type RetryDecision } from '../failures/retry';

/** After a new token was rejected, or none could be fetched, no other is requested for a minute. */
const TOKEN_PAUSE = 60_000;

/** While the circuit is open, every request fails in this way, and none is sent. */
interface OpenCircuit {
	outcome: Outcome;
	decision: GivenUp;
	/** When it was decided, in epoch milliseconds: all messages give the same time to wait for. */
	now: number;
	/** on the monotonic clock */
	until: number;
}

/** What the service asked a run of the node to wait for, on the monotonic clock. */
interface ServiceHold {
	pausedUntil: number;
	circuit?: OpenCircuit;
}

const holds = new WeakMap<object, ServiceHold>();

export class Circuit {
	private readonly hold: ServiceHold;
	private withoutToken: OpenCircuit | undefined;
	private tokenRejectedAt = -Infinity;
	private lastSuccessAt = -Infinity;

	constructor(
		context: object,
		private readonly clock: Clock,
	) {
		// Under Retry On Fail, the next attempt of a run respects what an earlier one was asked.
		const run = runOf(context);
		this.hold = (run && holds.get(run)) ?? { pausedUntil: 0 };
		if (run !== undefined) holds.set(run, this.hold);
	}

	/** How much longer the service asked to wait, in milliseconds. */
	get pauseLeft(): number {
		return this.hold.pausedUntil - this.clock.now();
	}

	/** How a request fails that is not even sent; undefined if the circuit is closed. */
	get blockedBy(): OpenCircuit | undefined {
		const now = this.clock.now();
		return [this.hold.circuit, this.withoutToken].find((each) => (each?.until ?? 0) > now);
	}

	/** Whether it makes sense to replace a rejected token. */
	get allowsRenewal(): boolean {
		return this.clock.now() - this.tokenRejectedAt > TOKEN_PAUSE;
	}

	onSuccess(): void {
		this.lastSuccessAt = this.clock.now();
		// The credential is right, so what was rejected before had another reason.
		this.tokenRejectedAt = -Infinity;
	}

	/** An attempt of a request that began at some time has failed; `now` in epoch milliseconds. */
	onFailure(outcome: Outcome, decision: RetryDecision, startedAt: number, now: number): void {
		const at = this.clock.now();
		this.hold.pausedUntil = Math.max(this.hold.pausedUntil, at + (decision.pause ?? 0));
		if (decision.retry) return;
		const wait = blockedFor(decision);
		if (wait !== undefined) {
			const tooLong = { retry: false, reason: 'tooLong', after: wait } as const;
			const until = at + wait;
			if (until > (this.hold.circuit?.until ?? 0))
				this.hold.circuit = { outcome, now, decision: tooLong, until };
		} else if ('withoutToken' in outcome)
			this.withoutToken = { outcome, now, decision, until: at + TOKEN_PAUSE };
		// If others succeeded meanwhile, it was not the credential that is wrong.
		if (isRejectedToken(outcome) && this.lastSuccessAt < startedAt) this.tokenRejectedAt = at;
	}
}
