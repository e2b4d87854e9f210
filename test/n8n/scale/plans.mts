/* What is measured, in two sizes. */
import type { EmissionPlan } from './emitting.mts';
import type { KillPlan } from './killing.mts';
import type { PollPlan } from './polling.mts';
import type { RefreshPlan } from './refreshing.mts';

export interface Plans {
	runs: RefreshPlan[];
	/** Runs under a rate limit. */
	limits: RefreshPlan[];
	/** Runs whose workers revoke each other's tokens, or not. */
	tokens: RefreshPlan[];
	emissions: EmissionPlan[];
	kills: KillPlan[];
	polls: PollPlan[];
}

/** About a quarter of an hour, or the same with a tenth of everything. */
export function plansOf(isQuick: boolean): Plans {
	const part = isQuick ? 10 : 1;
	const size = { engagements: 10_000 / part, batchSize: 500 / part };
	const few = { engagements: 900 / part, batchSize: 90 / part };
	// As many a minute as a gateway may allow to one subscription.
	const settings = { rateLimit: { requests: 300 / part, perMs: 15_000 } };
	const stream = { perSecond: 50, seconds: isQuick ? 6 : 40 };
	const spread = { ...few, division: 'executions' } as const;
	// So that tokens expire in the middle of a run.
	const tokens = { tokenLifetimeMs: 2000 };
	const revoking = { ...tokens, revokeEarlierTokens: true };
	return {
		runs: [
			{ ...size, division: 'none', workers: 1 },
			{ ...size, division: 'loop', workers: 1 },
			{ ...size, division: 'executions', workers: 1 },
			{ ...size, division: 'subWorkflows', workers: 2 },
			{ ...size, division: 'executions', workers: 2 },
			{ ...size, division: 'executions', workers: 4 },
		],
		limits: [
			{ ...few, division: 'none', workers: 2, settings },
			{ ...spread, workers: 2, settings },
			{ ...spread, workers: 2, settings, parallelRequests: 2 },
		],
		tokens: [
			{ ...spread, workers: 4, settings: tokens },
			{ ...spread, workers: 4, settings: revoking },
		],
		emissions: [1, 2, 4].map((workers) => ({ ...stream, workers })),
		kills: (['stopped', 'killed'] as const).map((how) => ({
			...{ ...stream, how, workers: 2 },
			...{ engagements: 2000 / part, batchSize: 100 / part },
		})),
		polls: [
			{ uploadsPerDay: 10_000, lookback: 120, isFiltered: false },
			{ uploadsPerDay: 100_000, lookback: 120, isFiltered: false },
			{ uploadsPerDay: 100_000, lookback: 120, isFiltered: true },
			{ uploadsPerDay: 1_000_000 / part, lookback: 120, isFiltered: false },
			{ uploadsPerDay: 1_000_000 / part, lookback: 10, isFiltered: false },
		],
	};
}
