/**
 * Reports an outage as one item if the trigger's On Error is set to continue, so that there is one
 * alert and not one a minute. The list's state is not touched, except that a copy of it which n8n has
 * rolled back is put right.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { fullText, reportOf } from '../transport/failures/errors';
import { timeOfDay } from '../values/clock';
import { isObject } from '../values/objects';
import type { Occasion } from './occasion';
import type { TriggerSettings } from './settings';
import type { CursorStore } from './store';

/** Whether nothing is to be requested, because an error said when to come back. */
export function isWaiting(
	context: IPollFunctions,
	{ kind }: Occasion,
	{ outage }: CursorStore,
): boolean {
	// A newly published workflow must report errors at once, and so must one that does not continue.
	if (
		kind === 'first' ||
		!isContinuing(context) ||
		!isObject(outage) ||
		typeof outage.until !== 'number'
	)
		return false;
	return timeOfDay() < outage.until;
}

/** The item for an error; none if the outage is known. @throws the error where that is not wanted */
export function reportOutage(
	context: IPollFunctions,
	{ kind }: Occasion,
	store: CursorStore,
	settings: TriggerSettings | undefined,
	error: unknown,
): INodeExecutionData[] {
	const identity = settings && { event: settings.event.value, client: '', start: settings.start };
	// A workflow that cannot be published must say so.
	if (!isContinuing(context) || kind === 'first' || store.load(identity) === undefined) throw error;
	const isKnown = store.outage !== undefined;
	const { failure } = reportOf(error) ?? {};
	const wait = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
	store.outage = wait === undefined ? {} : { until: timeOfDay() + wait };
	return isKnown ? [] : [{ json: { error: fullText(error) } }];
}

/** Whether the user has set On Error to one of the two forms of Continue. */
function isContinuing(context: IPollFunctions): boolean {
	return String(context.getNode().onError ?? '').startsWith('continue');
}
