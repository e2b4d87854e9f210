/**
 * Reports an outage as one item if the trigger's On Error is set to continue, so that there is one alert
 * and not one a minute.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { fullText, findReport } from '../transport/errors';
import { timeOfDay } from '../values/clock';
import { isObject } from '../values/objects';
import type { PollMode } from './pollMode';
import type { TriggerSettings } from './settings';
import type { StateHome } from './state';

/** Whether nothing is to be requested yet, because an error said when to come back. */
export function mustWait(context: IPollFunctions, { kind }: PollMode, home: StateHome): boolean {
	const { outage } = home;
	// A newly published workflow must report errors at once, and so must one that does not continue.
	if (kind === 'first' || !continuesOnError(context) || !isObject(outage)) return false;
	return typeof outage.until === 'number' && timeOfDay() < outage.until;
}

/**
 * The item for an error; none if the outage was reported before.
 * @throws the error, if On Error is not set to continue, or the trigger has not begun to work
 */
export function reportOutage(
	context: IPollFunctions,
	{ kind }: PollMode,
	home: StateHome,
	settings: TriggerSettings | undefined,
	error: unknown,
): INodeExecutionData[] {
	const identity = settings && { event: settings.event.value, client: '', start: settings.start };
	const hasBegun = () => kind !== 'first' && home.load(identity) !== undefined;
	if (!continuesOnError(context) || !hasBegun()) throw error;
	const isReported = home.outage !== undefined;
	const { failure } = findReport(error) ?? {};
	const wait = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
	home.outage = wait === undefined ? {} : { until: timeOfDay() + wait };
	return isReported ? [] : [{ json: { error: fullText(error) } }];
}

/** Whether the user has set On Error to one of the two forms of Continue. */
function continuesOnError(context: IPollFunctions): boolean {
	return String(context.getNode().onError ?? '').startsWith('continue');
}
