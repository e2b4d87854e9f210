/**
 * Asks for the followed uploads that the window does not contain. Invariant: an upload that is missing from
 * the response is still followed; neither it nor a response that cannot be read holds up the others.
 */
import { MAX_ENGAGEMENT_IDS } from '../service/endpoints';
import { lookUp } from '../lookups/lookUp';
import { findFault } from '../transport/errors';
import { isFollowed, type Found } from './cursor';
import type { UploadList } from './session';
import type { TriggerSettings } from './settings';
import type { State } from './state';
import type { SeenUpload } from './upload';
import { FAR, type Reading } from './window';

export async function readFollowed(
	list: UploadList,
	state: State,
	reading: Reading,
	settings: TriggerSettings,
	now: number,
): Promise<Found['followed']> {
	// After a failure, these requests would probably fail too. A baseline needs all of the time.
	if (reading.failure !== undefined || state.needsBaseline) return { uploads: [] };
	const listed = new Set(reading.uploads.map(({ id }) => id));
	const missing = Object.entries(state.known).filter(
		([id, entry]) => !listed.has(id) && isFollowed(entry, settings, now),
	);
	const oldest = missing.reduce((earliest, [, { time }]) => Math.min(earliest, time), now);
	const found = new Map<string, SeenUpload>();
	const asked = new Set(missing.flatMap(([, { engagementId = [] }]) => engagementId));
	const { errors } = await lookUp(asked, {
		fetch: async (engagementIds) => {
			const part = new Set(engagementIds);
			const sought = missing.filter(([, { engagementId = '' }]) => part.has(engagementId));
			const query = { queryFrom: oldest - FAR, engagementIds };
			for await (const page of list.pages(query)) {
				for (const upload of list.uploadsOn(page)) found.set(upload.id, upload);
				if (sought.every(([id]) => found.has(id))) break;
			}
			return new Map<string, never>();
		},
		maxKeys: MAX_ENGAGEMENT_IDS,
	});
	const failures = [...errors.values()].filter((error) => findFault(error) !== 'request');
	// If there was any answer, only some engagements are at fault, unless the reason concerns all requests.
	const isAnswered = found.size > 0 || errors.size < asked.size;
	const failure = failures.find((error) => !isAnswered || findFault(error) === 'access');
	return { uploads: missing.flatMap(([id]) => found.get(id) ?? []), failure };
}
