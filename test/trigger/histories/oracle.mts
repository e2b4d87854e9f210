/**
 * Checks a history against the promises of docs/how-the-trigger-works.md, based on what the service
 * showed when, regardless of how the trigger works. If more than one outcome is right, all pass.
 */
import { findEvent } from './history.mts';
import { DatedOracle } from './oracleDated.mts';
import { FollowingOracle } from './oracleFollowing.mts';
import type { Played } from './player.mts';

/** Everything that is wrong with the outcome of a history; empty if nothing is. */
export function judge(played: Played): string[] {
	const oracle = findEvent(played.history).isFollowing
		? new FollowingOracle(played)
		: new DatedOracle(played);
	return [...(played.hasSettled ? [] : ['it keeps emitting']), ...oracle.complaints()];
}
