/** Waits for the uploads of data refreshes, all at once. */
import { isFailedStatus, statusOf } from '../../api/uploadStatus';
import type { ServiceClient } from '../../transport/client';
import { isTemporary, reportOf } from '../../transport/errors';
import { inSlices, systemClock } from '../../values/clock';
import { parsePlausibleTime } from '../../values/dates';
import { InputError } from '../../values/inputError';
import type { SentRefresh } from './engagement';
import type { UploadLooks } from './uploadLooks';

/**
 * Looks at the uploads once per interval, until every refresh has a completed upload or an error.
 * Returns the errors.
 */
export async function waitForUploads(
	client: ServiceClient,
	looks: UploadLooks,
	refreshes: SentRefresh[],
): Promise<Map<SentRefresh, unknown>> {
	const start = systemClock.now();
	const timeLeft = ({ options }: SentRefresh) => start + options.waitTimeout - systemClock.now();
	const errors = new Map<SentRefresh, unknown>();
	const isOpen = (refresh: SentRefresh) => {
		if (hasFailed(refresh)) errors.set(refresh, failed(refresh, client));
		return (
			!errors.has(refresh) &&
			parsePlausibleTime(refresh.upload?.completionDate, client.zone) === undefined
		);
	};
	for (let open = refreshes.filter(isOpen); open.length > 0; open = open.filter(isOpen)) {
		const pause = open.reduce(
			(least, refresh) => Math.min(least, refresh.options.waitInterval, timeLeft(refresh)),
			Infinity,
		);
		await client.wait(Math.max(1, pause));
		const lookErrors = await looks.look(new Set(open.map(({ engagement }) => engagement)));
		for await (const refresh of inSlices(open.filter(isOpen))) {
			const error = lookErrors.get(refresh.engagement.id);
			if (error !== undefined && !isTemporary(error)) errors.set(refresh, error);
			else if (timeLeft(refresh) <= 0) errors.set(refresh, timedOut(refresh, client, error));
		}
	}
	return errors;
}

/** Whether the upload has failed, which no further wait will change. */
export function hasFailed({ upload }: SentRefresh): boolean {
	return upload !== undefined && isFailedStatus(statusOf(upload));
}

function failed({ engagement, upload = {} }: SentRefresh, client: ServiceClient): InputError {
	const [id, status] = [upload.uploadId, statusOf(upload)].map((each) => client.shown(each));
	return new InputError(
		`The data refresh of engagement ${engagement.id} has failed: upload ${id} has the status ${status}`,
		'Check the steps of the upload with Upload > Get Steps, then run the refresh again',
	);
}

/** `lookError`: why the latest look at the uploads failed, if it did. */
function timedOut(
	{ engagement, upload, options }: SentRefresh,
	client: ServiceClient,
	lookError: unknown,
): InputError {
	const minutes = options.waitTimeout / 60_000;
	const seen =
		upload === undefined
			? 'no new upload has been seen'
			: `last status ${client.shown(statusOf(upload))}`;
	const problem = reportOf(lookError)?.problem;
	const unread = problem === undefined ? '' : `; the latest check failed: ${problem}`;
	return new InputError(
		`The data refresh of engagement ${engagement.id} was not complete after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} (${seen}${unread})`,
		'The refresh may still be running in the service. Check later with Upload > Get Last, or increase Wait Timeout',
	);
}
