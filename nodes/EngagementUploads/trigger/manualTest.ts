/** A test in the editor shows the latest uploads, whatever the state. */
import type { Emission, Wanted } from './cursor';
import type { UploadList } from './list';
import { openNewest, WHOLE } from './scan';
import { knownOf, type CursorState, type Known } from './state';
import { byTime, type SeenUpload } from './upload';

const MAX_SHOWN = 5;
const MAX_SCANNED = 2000;
/** Larger pages would scan too many uploads. */
export const MAX_PAGE_SIZE = 200;

/** `state` is what n8n has saved of the active trigger, if anything. */
export async function showLatest(
	list: UploadList,
	state: CursorState | undefined,
	wanted: Wanted,
): Promise<Emission[]> {
	const { event, options } = wanted;
	const matching = (found: SeenUpload[]) =>
		found.filter(
			(upload) =>
				wanted.matches(upload) && event.occurrence(upload, wanted.now, options) !== undefined,
		);
	const { run, order } = await openNewest(list, 0);
	const isEnough = () => order !== undefined && matching(run.uploads).length >= MAX_SHOWN;
	await run.read(WHOLE, isEnough, MAX_SCANNED);
	const shown = matching(run.uploads).sort(byTime).slice(-MAX_SHOWN);
	return shown.map((upload) => ({
		upload,
		...(event.isRepeating && {
			previousStatus: previousOf(upload, state && knownOf(state, upload)),
		}),
	}));
}

/** The status before the current one, as far as the active trigger has seen it. */
function previousOf({ status }: SeenUpload, { last, previous }: Partial<Known> = {}) {
	return (last === status ? previous : last) ?? null;
}
