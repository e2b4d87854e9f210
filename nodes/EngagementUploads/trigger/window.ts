/**
 * Reads the upload list from the start of the window, oldest first. Invariants: the date filter is
 * trusted only if it let through something older than the window, or began far before it; and reading
 * stops early only while all that was read is in order.
 */
import { InputError } from '../values/inputError';
import type { UploadList } from './list';
import { isReadable, type SeenUpload } from './upload';

const HOUR = 3_600_000;
/** A date filter that begins this long before the window usually lists something older than it. */
export const NEAR = HOUR / 2;
/** One that begins this long before covers all of it in any zone, even if it only compares days. */
export const FAR = 51 * HOUR;

/** What a poll looks for in the list. */
export interface WindowQuery {
	/** Null for the beginning of the list. */
	windowStart: number | null;
	/** How long before the window the date filter begins. */
	margin: number | undefined;
	/** How many records are needed to get past those that are known, and fill a poll. */
	expected: number;
	/** How many uploads the poll can emit. */
	limit: number;
	isDue(upload: SeenUpload): boolean;
}

/** What was read of the list: all from the start of the window, or the oldest of it. */
export interface Reading {
	uploads: SeenUpload[];
	/** The date of the oldest one. */
	oldest: number;
	/** Where the date filter began. */
	queryFrom: number;
	/** Whether the list was read to its end. */
	isWhole: boolean;
	/** What kept it from reading more. */
	failure?: unknown;
}

/** Reads the window; once more from far before it if the date filter may have left out some of it. */
export async function readWindow(list: UploadList, query: WindowQuery): Promise<Reading> {
	const { windowStart, margin = NEAR } = query;
	if (windowStart === null || margin === FAR) return await readFrom(list, query, FAR);
	const reading = await readFrom(list, query, margin);
	return reading.oldest < windowStart ? reading : await readFrom(list, query, FAR);
}

async function readFrom(list: UploadList, query: WindowQuery, margin: number): Promise<Reading> {
	const { expected, limit, isDue } = query;
	const windowStart = query.windowStart ?? 0;
	const queryFrom = windowStart - margin;
	const uploads = new Map<string, SeenUpload>();
	let [pages, records, due] = [0, 0, 0];
	let [oldest, newest, isSorted] = [Infinity, -Infinity, true];
	const reading = (isWhole: boolean, failure?: unknown): Reading => {
		return { uploads: [...uploads.values()], oldest, queryFrom, isWhole, failure };
	};
	const needed = () => (isSorted ? Math.max(expected - records, limit + 1 - due) : Infinity);
	try {
		for await (const page of list.pages({ queryFrom, order: 'oldestFirst', needed })) {
			pages += 1;
			records += page.records.length;
			if (!list.maySortByDate(page)) isSorted = false;
			for (const upload of list.uploadsOn(page)) {
				if (uploads.has(upload.id)) continue;
				uploads.set(upload.id, upload);
				if (isDue(upload)) due += 1;
				if (!isReadable(upload.time)) continue;
				if (upload.time < newest) isSorted = false;
				newest = Math.max(newest, upload.time);
				oldest = Math.min(oldest, upload.time);
			}
			if (page.isLast) break;
			// The filter may have left out the start of the window, or there is more than can be emitted.
			const startsLate = margin < FAR && uploads.size > 0 && oldest >= windowStart;
			if (isSorted && (startsLate || due > limit)) return reading(false);
			if (list.isTimeUp) await Promise.reject(tooSlow());
		}
		return reading(true);
	} catch (error) {
		const failure = pages > 0 && list.isTimeUp ? tooSlow() : error;
		// What was read in order is of use.
		if (!isSorted || pages === 0) await Promise.reject(failure);
		return reading(false, failure);
	}
}

function tooSlow(): InputError {
	return new InputError(
		'The list of uploads could not be read in the time that n8n allows',
		'Increase Page Size, or decrease Look-Back or Follow For',
	);
}
