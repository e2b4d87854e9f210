/** What records mean beyond their fields; what the statuses of uploads mean is in uploadStatus.ts. */
import type { IDataObject } from 'n8n-workflow';
import { toIsoTime } from '../values/dates';
import { isObject } from '../values/objects';
import { isAbsent, toText } from '../values/text';
import { isFailedStatus, saysCompleted } from './uploadStatus';

/** `0` is online, `1` offline (docs/service.md#connector-record); other codes are kept. */
export function connectorType({ type = null }: IDataObject): unknown {
	if (type === '0' || type === 0) return 'online';
	return type === '1' || type === 1 ? 'offline' : type;
}

/** The steps of a workflow, in the order of the process. */
export function listSteps({ steps }: IDataObject): IDataObject[] {
	const records = Array.isArray(steps) ? steps.filter(isObject) : isObject(steps) ? [steps] : [];
	const place = ({ sorting }: IDataObject) => Number(sorting) || 0;
	return records.toSorted((one, other) => place(one) - place(other));
}

/** A step with its times as ISO 8601. */
export function printStep(step: IDataObject, zone: string): IDataObject {
	const names = ['created', 'started', 'lastUpdate'].filter((name) => name in step);
	const times = names.map((name) => [name, toIsoTime(step[name], zone)]);
	return { ...step, ...Object.fromEntries(times) } as IDataObject;
}

/**
 * The step that has failed, or else the first that has not completed. Where no status says “completed”, which is
 * undocumented, it is the last step that has been started.
 */
export function currentStep(record: IDataObject): IDataObject | undefined {
	const steps = listSteps(record);
	const failed = steps.find(({ status }) => isFailedStatus(toText(status ?? '')));
	if (failed !== undefined) return failed;
	const isCompleted = ({ status }: IDataObject) => saysCompleted(toText(status ?? ''));
	return steps.some(isCompleted)
		? (steps.find((step) => !isCompleted(step)) ?? steps.at(-1))
		: steps.findLast(({ started }) => !isAbsent(started));
}

/**
 * The address to send the customer to. The documentation withholds the name of that of a download; it ends in
 * `ClientUrl`. The `type` of an error may be an address, too.
 */
export function customerUrl({ type, redirectUrl, ...others }: IDataObject): string | undefined {
	const isClientUrl = ([name]: [string, unknown]) => name.endsWith('ClientUrl');
	const clientUrls = Object.entries(others)
		.filter(isClientUrl)
		.map(([, value]) => value);
	const documented = [redirectUrl, ...clientUrls];
	if (type === 'DOWNLOAD') documented.reverse();
	const isGiven = (value: unknown) => typeof value === 'string' && !isAbsent(value);
	const isUrl = (value: unknown) => typeof value === 'string' && /^https?:/i.test(value);
	const url = documented.find(isGiven) ?? Object.values(others).find(isUrl);
	return url as string | undefined;
}

/** The response to a refresh or a schedule, and whether the customer must first act at its `url`. */
export function refreshOutput(response: IDataObject, target: IDataObject) {
	const url = isAbsent(response.url) ? null : response.url;
	return { ...response, url, ...target, actionRequired: url !== null };
}
