/** A test in the editor shows the latest uploads, whatever the state. */
import type { Emission } from './cursor';
import type { UploadEvent } from './events/event';
import type { ServiceUploads } from './list';
import { scanNewest } from './scan';
import { byTime, statusOf, type SeenUpload } from './upload';

const SHOWN = 5;
const MOST_LOOKED_THROUGH = 2000;
/** Larger pages would look through more. */
export const MAX_PAGE_SIZE = 200;

export async function showLatest(
	uploads: ServiceUploads,
	{ follow }: UploadEvent,
	matches: (upload: SeenUpload) => boolean,
	isOver: () => boolean,
): Promise<Emission[]> {
	const matching = (found: SeenUpload[]) =>
		found.filter((upload) => matches(upload) && (follow?.isShown(statusOf(upload)) ?? true));
	const reading = await scanNewest(uploads, {
		lower: () => -Infinity,
		filterLower: 0,
		isOver,
		isEnough: (found, isOrdered) => isOrdered && matching(found).length >= SHOWN,
		most: MOST_LOOKED_THROUGH,
	});
	const shown = matching(reading.uploads).sort(byTime).slice(-SHOWN);
	return shown.map((upload) => ({
		upload,
		...(follow?.tellsPrevious && { previousStatus: null }),
	}));
}
