/**
 * Reports an outage as a single item if the trigger's On Error is set to continue, so that there is one
 * alert, and not one a minute.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { findFailure, fullText } from '../transport/errors';
import { HOUR, timeOfDay } from '../values/clock';
import { isObject } from '../values/objects';
import { noteStarted, type PollMode } from './pollMode';
import type { TriggerSettings } from './settings';
import type { StateStore } from './store';

/** No wait is longer, since an outage may end early. */
const MAX_WAIT = HOUR;

/** Whether it is too early to send requests, since an error said when to come back. */
export function mustWait(context: IPollFunctions, { kind }: PollMode, store: StateStore): boolean {
	const { outage } = store.own;
	// Errors must show at once after publishing, and if On Error is not set to continue.
	if (kind === 'first' || !continuesOnError(context) || !isObject(outage)) return false;
	const left = Number(outage.until ?? 0) - timeOfDay();
	// More is left only if the clock was set back.
	return left > 0 && left <= MAX_WAIT;
}

/**
 * The item for an error; none if the outage was reported before.
 * @throws the error if On Error is not set to continue, or no poll has succeeded yet
 */
export function reportOutage(
	context: IPollFunctions,
	mode: PollMode,
	store: StateStore,
	settings: TriggerSettings | undefined,
	error: unknown,
): INodeExecutionData[] {
	const identity = settings && { event: settings.event.value, client: '', start: settings.start };
	const state = settings && store.load(identity);
	if (state && mustStart(mode, store, error)) {
		noteStarted(context);
		return [];
	}
	if (state === undefined || mode.kind === 'first' || !continuesOnError(context)) throw error;
	const { outage } = store.own;
	const { hasReadList } = store;
	// After a failure of other requests, one of the list is worse.
	const isReported = isObject(outage) && (hasReadList || outage.hasReadList !== true);
	if (!isReported) store.noteAlert(state);
	const until = findFailure(error)?.until;
	const wait = until ? { until: Math.min(until, timeOfDay() + MAX_WAIT) } : {};
	store.own.outage = { ...wait, hasReadList };
	return isReported ? [] : [{ json: { error: safeText(fullText(error)) } }];
}

/**
 * Whether an outage must not fail the first poll after n8n has started: 2.41 tries that a few times, and then leaves
 * the trigger off until somebody publishes it. If the outage lasts, the next poll reports it.
 */
function mustStart({ kind, isInteractive }: PollMode, store: StateStore, error: unknown): boolean {
	const isStart = kind === 'first' && !isInteractive && store.isNewProcess;
	return isStart && findFailure(error) !== undefined;
}

/** Ends the outage, or only that of the list if other requests still fail, so that the next one is reported. */
export function endOutage({ own, hasReadList }: StateStore, hasReadAll: boolean): void {
	// n8n saves after any assignment or deletion, even one without effect.
	if (own.outage === undefined) return;
	if (hasReadAll) delete own.outage;
	else if (hasReadList) own.outage = { hasReadList };
}

/**
 * The message of a poll that fails, which may quote this word. At its capital, n8n gives up for good a trigger that
 * fails when n8n starts.
 */
export function safeText(message: string): string {
	return message.replaceAll('Authorization', 'authorization');
}

/** Whether the user has set On Error to one of the two forms of Continue. */
function continuesOnError(context: IPollFunctions): boolean {
	return String(context.getNode().onError ?? '').startsWith('continue');
}
