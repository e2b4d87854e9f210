/**
 * Asks for the followed uploads that the window does not contain. Invariant: whatever the response, an
 * upload that is missing from it is still followed, and holds up no other.
 */
import { MAX_ENGAGEMENT_IDS } from '../service/endpoints';
import { lookUp } from '../lookups/lookUp';
import { fitsUrl } from '../transport/address';
import { findFault } from '../transport/errors';
import { isFollowed } from './cursor';
import type { UploadList } from './list';
import type { TriggerSettings } from './settings';
import type { State } from './state';
import type { SeenUpload } from './upload';
import { FAR, type Reading } from './window';

/** Leaves room in the URL for the address and the other parameters. */
const MAX_CHARACTERS = 1500;

export interface Followed {
	uploads: SeenUpload[];
	/** A quota, a limit or a token that kept it from finding more. */
	failure?: unknown;
}

export async function readFollowed(
	list: UploadList,
	state: State,
	reading: Reading,
	settings: TriggerSettings,
	now: number,
): Promise<Followed> {
	// What ended the reading would fail these requests too.
	if (reading.failure !== undefined) return { uploads: [] };
	const listed = new Set(reading.uploads.map(({ id }) => id));
	const missing = Object.entries(state.known).filter(
		([id, entry]) => !listed.has(id) && isFollowed(entry, settings, now),
	);
	const oldest = missing.reduce((earliest, [, { time }]) => Math.min(earliest, time), now);
	const found = new Map<string, SeenUpload>();
	const ids = missing.flatMap(([, { engagementId = [] }]) => engagementId);
	const { errors } = await lookUp(new Set(ids.filter(fitsUrl)), {
		fetch: async (engagementIds) => {
			const asked = new Set(engagementIds);
			const sought = missing.filter(([, { engagementId = '' }]) => asked.has(engagementId));
			for await (const page of list.pages({ queryFrom: oldest - FAR, engagementIds })) {
				for (const upload of list.uploadsOn(page)) found.set(upload.id, upload);
				if (sought.every(([id]) => found.has(id))) break;
			}
			return new Map<string, never>();
		},
		maxKeys: MAX_ENGAGEMENT_IDS,
		maxCharacters: MAX_CHARACTERS,
	});
	const failure = [...errors.values()].find((error) => findFault(error) === 'access');
	return { uploads: missing.flatMap(([id]) => found.get(id) ?? []), failure };
}
