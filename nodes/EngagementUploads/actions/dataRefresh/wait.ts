/** Waits for the uploads of data refreshes, all at once. */
import type { IDataObject } from 'n8n-workflow';
import type { Upload } from '../../api/records';
import { isFailedStatus } from '../../api/uploadStatus';
import type { Options } from '../../fields/options';
import type { ServiceClient } from '../../transport/client';
import { isTemporary } from '../../transport/failures/errors';
import { systemClock } from '../../transport/http/pool';
import { InputError } from '../../values/inputError';
import { isAbsent, toText } from '../../values/text';
import type { RefreshedEngagement, SentRefresh } from './engagement';
import type { UploadLooks } from './uploadLooks';

/** A refresh that was sent, and whose upload is waited for. */
export interface Wait {
	/** of its item */
	index: number;
	engagement: RefreshedEngagement;
	refresh: SentRefresh;
	/** The output item, still without its upload. */
	result: IDataObject;
	/** The current attempt's. */
	options: Pick<Options, 'waitInterval' | 'waitTimeout'>;
	/** Why there is no completed upload. */
	error?: unknown;
}

/**
 * Looks at the uploads once per interval, until every refresh has a completed upload or an error.
 */
export async function waitForUploads(
	client: ServiceClient,
	looks: UploadLooks,
	waits: Wait[],
): Promise<void> {
	const start = systemClock.now();
	const timeLeft = ({ options }: Wait) => start + options.waitTimeout - systemClock.now();
	const isOpen = (wait: Wait) => {
		if (hasFailed(wait)) wait.error = failed(wait, client);
		return wait.error === undefined && isAbsent(wait.refresh.upload?.completionDate);
	};
	for (let open = waits.filter(isOpen); open.length > 0; open = open.filter(isOpen)) {
		const pause = open.reduce(
			(least, wait) => Math.min(least, wait.options.waitInterval, timeLeft(wait)),
			Infinity,
		);
		await client.wait(Math.max(1, pause));
		const engagements = new Set(open.map(({ engagement }) => engagement));
		await looks.look([...engagements]);
		for (const wait of open.filter(isOpen)) {
			const { lookError: error } = wait.engagement;
			if (error !== undefined && !isTemporary(error)) wait.error = error;
			else if (timeLeft(wait) <= 0) wait.error = timedOut(wait, client);
		}
	}
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
