/**
 * Reports an outage as a single item if the trigger's On Error is set to continue, so that there is one
 * alert, and not one a minute.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { findFailure, fullText } from '../transport/errors';
import { SECOND, systemClock } from '../values/clock';
import { noteStarted, type PollMode } from './pollMode';
import type { StateStore } from './store';

/**
 * The item for an error; none if the outage was reported before.
 * @throws the error if On Error is not set to continue, or no poll has succeeded yet
 */
export function reportOutage(
	context: IPollFunctions,
	mode: PollMode,
	store: StateStore | undefined,
	error: unknown,
): INodeExecutionData[] {
	if (store?.load() === undefined) throw error;
	// 2.41 tries the first poll after a start a few times, and then leaves the trigger off until somebody publishes it.
	const { kind, isInteractive } = mode;
	if (kind === 'first' && !isInteractive && store.isNewProcess && findFailure(error)) {
		noteStarted(context);
		return [];
	}
	const continues = String(context.getNode().onError ?? '').startsWith('continue');
	if (kind === 'first' || !continues) throw error;
	const isReported = store.own.outage === true;
	store.own.outage = true;
	return isReported ? [] : [{ json: { error: failureText(error, mode) } }];
}

const TOO_LONG =
	'If this persists, listing the uploads takes too long for one poll: increase Page Size, or shorten Look-Back, Follow For or Stuck After';

/** The message of a poll that fails, with what to do: n8n shows nothing else when publishing. */
export function failureText(error: unknown, { deadline }: PollMode): string {
	const text = fullText(error);
	const isTooLate = systemClock.now() > deadline - SECOND;
	// The message may quote this word. With a capital A, it makes n8n give up for good on a trigger that fails at n8n's start.
	return (isTooLate ? `${text}. ${TOO_LONG}` : text).replaceAll('Authorization', 'authorization');
}
