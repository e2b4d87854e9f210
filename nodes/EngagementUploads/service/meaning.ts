/** What records mean beyond their fields; what the statuses of uploads mean is in uploadStatus.ts. */
import type { IDataObject } from 'n8n-workflow';
import { toIsoTime } from '../values/dates';
import { isObject } from '../values/objects';
import { foldCase, isAbsent, toText } from '../values/text';
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
 * `ClientUrl`. If there is none, the only web address in the response must be it.
 */
export function customerUrl(response: IDataObject): string | undefined {
	const entries = Object.entries(response);
	const clientUrl = entries.find(
		([name, value]) => name.endsWith('ClientUrl') && isLink(value),
	)?.[1];
	const isDownload = foldCase(response.type) === 'download';
	const links = isDownload ? [clientUrl, onlyAddress(response)] : [response.redirectUrl, clientUrl];
	return links.find(isLink);
}

const isLink = (value: unknown): value is string => typeof value === 'string' && !isAbsent(value);

/** The web address in a response, if all addresses in it are the same one. */
function onlyAddress(response: IDataObject): string | undefined {
	const addresses = new Set(listTexts(response).filter((text) => /^https?:\/\//i.test(text)));
	return addresses.size === 1 ? [...addresses][0] : undefined;
}

function listTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value.trim()];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** The response to a refresh or a schedule, and whether the customer must first act at its `url`. */
export function refreshOutput(response: IDataObject, target: IDataObject) {
	const url = isAbsent(response.url) ? null : response.url;
	return { ...response, url, ...target, actionRequired: url !== null };
}

/** What the service says must be done, if that is neither nothing nor something at a `url`. */
export function otherAction({ action, url }: IDataObject): string | undefined {
	if (isAbsent(action) || !isAbsent(url)) return undefined;
	const text = toText(action);
	return /^[\s_]*no[\s_]*action/i.test(text) ? undefined : text;
}
