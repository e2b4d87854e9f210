/** A test in the editor shows the latest uploads, whatever the state. */
import type { Emission, Wanted } from './cursor';
import type { UploadList } from './list';
import { PARTS } from './occasion';
import { openNewest } from './scan';
import { byTime, type SeenUpload } from './upload';

const MAX_SHOWN = 5;
const MAX_SCANNED = 2000;
/** Larger pages would scan too many uploads. */
export const MAX_PAGE_SIZE = 200;

export async function showLatest(list: UploadList, wanted: Wanted): Promise<Emission[]> {
	const { event, parameters } = wanted;
	const matching = (found: SeenUpload[]) =>
		found.filter(
			(upload) =>
				wanted.matches(upload) && event.occurrence(upload, wanted.now, parameters) !== undefined,
		);
	const { run, order } = await openNewest(list, { from: 0, pageSize: list.pageSize });
	const isEnough = () => order !== undefined && matching(run.uploads).length >= MAX_SHOWN;
	await run.read(PARTS.whole, isEnough, MAX_SCANNED);
	const shown = matching(run.uploads).sort(byTime).slice(-MAX_SHOWN);
	return shown.map((upload) => ({ upload, ...(event.isRepeating && { previousStatus: null }) }));
}
