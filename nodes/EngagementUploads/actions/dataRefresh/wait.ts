/** Waits for the uploads of all data refreshes together. */
import { hasCompleted, isFailedStatus, readStatus } from '../../service/uploadStatus';
import type { ServiceClient } from '../../transport/client';
import { isTemporary, ServiceFailure } from '../../transport/errors';
import { MINUTE, systemClock } from '../../values/clock';
import { InputError } from '../../values/inputError';
import type { SentRefresh, SentRefreshes } from './sentRefreshes';

/** Lists the uploads once per interval, until all have completed or failed. Returns the errors. */
export async function waitForUploads(
	client: ServiceClient,
	sent: SentRefreshes,
	refreshes: SentRefresh[],
): Promise<Map<SentRefresh, unknown>> {
	const start = systemClock.now();
	const timeLeft = ({ options }: SentRefresh) => start + options.waitTimeout - systemClock.now();
	const errors = new Map<SentRefresh, unknown>();
	const isOpen = (refresh: SentRefresh) =>
		!errors.has(refresh) && !hasFailed(refresh) && !isCompleted(refresh, client);
	for (let open = refreshes.filter(isOpen); open.length > 0; open = open.filter(isOpen)) {
		const pauses = open.map((each) => Math.min(each.options.waitInterval, timeLeft(each)));
		await client.wait(Math.max(1, Math.min(...new Set(pauses))));
		const listErrors = await sent.update(client, open);
		for (const refresh of open.filter(isOpen)) {
			const error = listErrors.get(String(refresh.engagementId));
			if (error !== undefined && !isTemporary(error)) errors.set(refresh, error);
			else if (timeLeft(refresh) <= 0) errors.set(refresh, timedOut(refresh, client, error));
		}
	}
	for (const refresh of refreshes.filter(hasFailed)) errors.set(refresh, failed(refresh, client));
	return errors;
}

function isCompleted({ upload }: SentRefresh, { zone }: ServiceClient): boolean {
	return upload !== undefined && hasCompleted(upload, zone);
}

/** Whether the upload has failed, which no further wait will change. */
export function hasFailed({ upload }: SentRefresh): boolean {
	return upload !== undefined && isFailedStatus(readStatus(upload));
}

function failed({ engagementId, upload = {} }: SentRefresh, client: ServiceClient): InputError {
	const [id, status] = [upload.uploadId, readStatus(upload)].map((each) => client.toSafeText(each));
	return new InputError(
		`The data refresh of engagement ${engagementId} has failed: upload ${id} has the status ${status}`,
		'Check the steps of the upload with Upload > Get Steps, then run the refresh again',
	);
}

/** `listError` says why the uploads could not be listed the last time, if they could not. */
function timedOut(
	{ engagementId, upload, options, action }: SentRefresh,
	client: ServiceClient,
	listError: unknown,
): InputError {
	const minutes = options.waitTimeout / MINUTE;
	const seen =
		upload === undefined
			? `no new upload has been seen${action ? `; the service answered ${action}` : ''}`
			: `last status ${client.toSafeText(readStatus(upload))}`;
	const problem = listError instanceof ServiceFailure ? listError.texts.problem : undefined;
	const unread = problem === undefined ? '' : `; the latest check failed: ${problem}`;
	return new InputError(
		`The data refresh of engagement ${engagementId} was not complete after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} (${seen}${unread})`,
		'The refresh may still be running in the service. Check later with Upload > Get Last, or increase Wait Timeout',
	);
}
