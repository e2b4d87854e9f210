/**
 * Followed uploads older than the window: requested by ID, or read from the list if there are many.
 */
import { isFollowed, type Following } from './follow';
import type { Reading } from './progress';
import type { UploadList } from './pageRun';
import { scanNewest } from './scan';
import type { CursorState } from './state';
import type { SeenUpload } from './upload';

/** Maximum number of uploads requested by ID, oldest first. */
const MAX_BY_ID = 10;

export interface FindableList extends UploadList {
	find(uploadId: string): Promise<SeenUpload | undefined>;
}

/** Adds missing followed uploads to the reading; `gone` are those no longer listed. */
export async function recheck(
	state: CursorState,
	list: FindableList,
	reading: Reading,
	following: Following,
	isTimeUp: () => boolean,
): Promise<{ reading: Reading; gone: string[] }> {
	const found = new Map(reading.uploads.map((upload) => [upload.id, upload]));
	const missing = () =>
		Object.entries(state.followed)
			.filter(([id, entry]) => !found.has(id) && isFollowed(entry, following))
			.sort(([, a], [, b]) => a.time - b.time);
	const oldest = missing()[MAX_BY_ID]?.[1].time;
	if (oldest !== undefined && !isTimeUp()) {
		const lower = () => oldest;
		const { order, isMixed } = state;
		const more = await scanNewest(list, { lower, filterLower: oldest, order, isMixed, isTimeUp });
		for (const upload of more.uploads) if (!found.has(upload.id)) found.set(upload.id, upload);
	}
	const stragglers = missing().slice(0, MAX_BY_ID);
	const gone: string[] = [];
	const requestById = async ([id]: (typeof stragglers)[number]) => {
		const upload = await list.find(id);
		if (upload === undefined) gone.push(id);
		else found.set(id, upload);
	};
	await Promise.all(stragglers.map(requestById));
	return { reading: { ...reading, uploads: [...found.values()] }, gone };
}
