/** Waits for the uploads of data refreshes, all at once. */
import type { Upload } from '../../api/records';
import { isFailedStatus } from '../../api/uploadStatus';
import type { ServiceClient } from '../../transport/client';
import { isTemporary } from '../../transport/failures/errors';
import { systemClock } from '../../transport/http/pool';
import { InputError } from '../../values/inputError';
import { isAbsent, toText } from '../../values/text';
import type { Wait } from './engagement';
import type { UploadLooks } from './uploadLooks';

/**
 * Looks at the uploads once per interval, until every refresh has a completed upload or an error.
 * Returns the errors.
 */
export async function waitForUploads(
	client: ServiceClient,
	looks: UploadLooks,
	waits: Wait[],
): Promise<Map<Wait, unknown>> {
	const start = systemClock.now();
	const timeLeft = ({ options }: Wait) => start + options.waitTimeout - systemClock.now();
	const errors = new Map<Wait, unknown>();
	const isOpen = (wait: Wait) => {
		if (hasFailed(wait)) errors.set(wait, failed(wait, client));
		return !errors.has(wait) && isAbsent(wait.refresh.upload?.completionDate);
	};
	for (let open = waits.filter(isOpen); open.length > 0; open = open.filter(isOpen)) {
		const pause = open.reduce(
			(least, wait) => Math.min(least, wait.options.waitInterval, timeLeft(wait)),
			Infinity,
		);
		await client.wait(Math.max(1, pause));
		await looks.look([...new Set(open.map(({ engagement }) => engagement))]);
		for (const wait of open.filter(isOpen)) {
			const { lookError: error } = wait.engagement;
			if (error !== undefined && !isTemporary(error)) errors.set(wait, error);
			else if (timeLeft(wait) <= 0) errors.set(wait, timedOut(wait, client));
		}
	}
	return errors;
}

/** Whether the upload has failed, which no further wait will change. */
export function hasFailed({ refresh: { upload } }: Wait): boolean {
	return upload !== undefined && isFailedStatus(statusOf(upload));
}

function failed({ engagement, refresh: { upload = {} } }: Wait, client: ServiceClient): InputError {
	const [id, status] = [upload.uploadId, statusOf(upload)].map((each) => client.shown(each));
	return new InputError(
		`The data refresh of engagement ${engagement.id} has failed: upload ${id} has the status ${status}`,
		'Check the steps of the upload with Upload > Get Steps, then run the refresh again',
	);
}

function timedOut(
	{ engagement, refresh: { upload }, options }: Wait,
	client: ServiceClient,
): InputError {
	const minutes = options.waitTimeout / 60_000;
	const seen =
		upload === undefined
			? 'no new upload has appeared'
			: `last status ${client.shown(statusOf(upload))}`;
	return new InputError(
		`The data refresh of engagement ${engagement.id} was not complete after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} (${seen})`,
		'The refresh may still be running in the service. Check later with Upload > Get Last, or increase Wait Timeout',
	);
}

function statusOf({ uploadStatus, status }: Upload): string {
	return toText(uploadStatus ?? status ?? 'unknown');
}
