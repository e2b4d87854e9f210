/**
 * Asks for the followed uploads that reading the list did not find: they are older than the window, or
 * a backlog has not been read up to them. Invariant: whatever the answer, an upload that is missing from
 * it is still followed, and holds up no other.
 */
import { MAX_ENGAGEMENT_IDS } from '../api/endpoints';
import { Batch } from '../search/batch';
import { faultOf } from '../transport/failures/errors';
import { fitsUrl } from '../transport/credential/address';
import { isFollowed, type Wanted } from './cursor';
import type { UploadList } from './list';
import { filterFrom } from './scan';
import type { CursorState } from './state';
import type { SeenUpload } from './upload';

/** Leaves room in the URL for the address and the other parameters. */
const MAX_CHARACTERS = 1500;
/** A hundred engagements have more uploads in a few days than a usual page holds. */
const PAGE_SIZE = 500;

/** Uploads that were found, and a quota, a limit or a token that kept it from finding more. */
export interface Followed {
	uploads: SeenUpload[];
	failure?: unknown;
}

export async function fetchFollowed(
	state: CursorState,
	list: UploadList,
	read: readonly SeenUpload[],
	wanted: Wanted,
): Promise<Followed> {
	const listed = new Set(read.map(({ id }) => id));
	const missing = Object.entries(state.known).filter(
		([id, entry]) => !listed.has(id) && isFollowed(entry, wanted),
	);
	const ids = missing.flatMap(([, { engagementId = [] }]) => engagementId);
	const engagements = new Set(ids.filter(fitsUrl));
	const oldest = missing.reduce((least, [, { time }]) => Math.min(least, time), wanted.now);
	const from = filterFrom(oldest);
	// Oldest first, so that reading can stop once all are found.
	const order = state.order && { by: state.order, isDescending: false };
	const found = new Map<string, SeenUpload>();
	let pageSize = Math.max(list.pageSize, PAGE_SIZE);
	const batch = new Batch<true>({
		fetch: async (engagementIds) => {
			const asked = new Set(engagementIds);
			const sought = missing.filter(([, { engagementId = '' }]) => asked.has(engagementId));
			const isFound = () => sought.every(([id]) => found.has(id));
			const readPages = async (size: number) => {
				const pages = list.pages({ from, order, engagementIds }, size);
				for await (const page of pages) {
					for (const upload of list.uploadsOn(page)) found.set(upload.id, upload);
					if (isFound()) return;
				}
			};
			const size = pageSize;
			await readPages(size).catch(async (error) => {
				if (size === list.pageSize || faultOf(error) !== 'request') await Promise.reject(error);
				await readPages(list.pageSize);
				// It was the page size that the service rejected, and would reject again.
				pageSize = list.pageSize;
			});
			return new Map();
		},
		maxKeys: MAX_ENGAGEMENT_IDS,
		maxCharacters: MAX_CHARACTERS,
	});
	for (const id of engagements) batch.add(id);
	let failure: unknown;
	for (const id of engagements) {
		try {
			await batch.get(id);
		} catch (error) {
			if (faultOf(error) === 'access') failure ??= error;
		}
	}
	return { uploads: missing.flatMap(([id]) => found.get(id) ?? []), failure };
}
