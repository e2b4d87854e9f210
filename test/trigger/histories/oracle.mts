/**
 * What the contract promises of a history, worked out from what the service showed when, without
 * regard to how the trigger goes about it. Where more than one outcome is right, all pass.
 */
import { isFollowing } from './history.mts';
import { DatedOracle } from './oracleDated.mts';
import { FollowingOracle } from './oracleFollowing.mts';
import type { Played } from './player.mts';

/** All that is wrong with how a history went; empty where all is right. */
export function judge(played: Played): string[] {
	const oracle = isFollowing(played.history)
		? new FollowingOracle(played)
		: new DatedOracle(played);
	return [...(played.cameToRest ? [] : ['it never comes to rest']), ...oracle.complaints()];
}
