/** A test in the editor shows the latest uploads, whatever the state. */
import type { Emission } from './cursor';
import type { UploadEvent } from './events/event';
import type { ServiceUploads } from './list';
import { scanNewest } from './scan';
import { byTime, statusOf, type SeenUpload } from './upload';

const MAX_SHOWN = 5;
const MAX_SCANNED = 2000;
/** Larger pages would scan too many uploads. */
export const MAX_PAGE_SIZE = 200;

export async function showLatest(
	uploads: ServiceUploads,
	{ follow }: UploadEvent,
	matches: (upload: SeenUpload) => boolean,
	isTimeUp: () => boolean,
): Promise<Emission[]> {
	const matching = (found: SeenUpload[]) =>
		found.filter((upload) => matches(upload) && (follow?.isShown(statusOf(upload)) ?? true));
	const reading = await scanNewest(uploads, {
		lower: () => -Infinity,
		filterLower: 0,
		isTimeUp,
		isEnough: (found, isOrdered) => isOrdered && matching(found).length >= MAX_SHOWN,
		maxRecords: MAX_SCANNED,
	});
	const shown = matching(reading.uploads).sort(byTime).slice(-MAX_SHOWN);
	return shown.map((upload) => ({
		upload,
		...(follow?.hasPreviousStatus && { previousStatus: null }),
	}));
}
