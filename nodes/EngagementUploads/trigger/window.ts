/**
 * Reads the upload list from the start of the window, oldest first. Invariants: the date filter is trusted
 * only if it let through something older than the window, or began far before it; reading stops early only
 * while everything was in order.
 */
import { HOUR } from '../values/clock';
import { InputError } from '../values/inputError';
import type { UploadList } from './session';
import { isReadable, type SeenUpload } from './upload';

/** A date filter that begins this long before the window usually lists something older than the window. */
export const NEAR = HOUR / 2;
/** One that begins this long before it covers the window in any zone, even if it only compares days. */
export const FAR = 51 * HOUR;

/** Fewer different dates may be in order by chance, though the service does not sort by them. */
const MIN_DATES = 8;

/** What a poll needs to know of the list. */
export interface WindowQuery {
	/** Null to read from the beginning of the list. */
	windowStart: number | null;
	/** How long before the window the date filter begins; undefined for the usual time. */
	margin: number | undefined;
	/** How many records are expected: those that are known, and as many as the poll can emit. */
	expected: number;
	/** How many uploads the poll can emit. */
	limit: number;
	isDue(upload: SeenUpload): boolean;
}

/** What was read of the list: all from the start of the window, or the oldest part. */
export interface Reading {
	uploads: SeenUpload[];
	/** The oldest date. */
	oldest: number;
	/** Where the date filter began. */
	queryFrom: number;
	/** Whether the list was read to its end. */
	isComplete: boolean;
	/** Why no more was read. */
	failure?: unknown;
}

/** Reads the window. If the date filter may have left out part of it, reads again from far before. */
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
	let pages = 0;
	let records = 0;
	let due = 0;
	let oldest = Infinity;
	let newest = -Infinity;
	let dates = 0;
	let isSorted = true;
	const reading = (isComplete: boolean, failure?: unknown): Reading => {
		return { uploads: [...uploads.values()], oldest, queryFrom, isComplete, failure };
	};
	const needed = () => (isSorted ? Math.max(expected - records, limit + 1 - due) : Infinity);
	try {
		for await (const page of list.pages({ queryFrom, order: 'oldestFirst', needed })) {
			pages += 1;
			records += page.records.length;
			if (!list.mayBeSortedByDate(page)) isSorted = false;
			for (const upload of list.uploadsOn(page)) {
				if (uploads.has(upload.id)) continue;
				uploads.set(upload.id, upload);
				if (isDue(upload)) due += 1;
				if (!isReadable(upload.time)) continue;
				if (upload.time < newest) isSorted = false;
				if (upload.time > newest) dates += 1;
				newest = Math.max(newest, upload.time);
				oldest = Math.min(oldest, upload.time);
			}
			if (page.isLast) break;
			// Either the filter may have left out the start of the window, or more is due than can be emitted.
			const startsLate = margin < FAR && uploads.size > 0 && oldest >= windowStart;
			const isEnough = due > limit && dates >= MIN_DATES;
			if (isSorted && (startsLate || isEnough)) return reading(false);
			if (list.isTimeUp) throw tooSlow();
		}
		return reading(true);
	} catch (error) {
		const failure = pages > 0 && list.isTimeUp ? tooSlow() : error;
		// What was read in order is useful.
		if (!isSorted || pages === 0) throw failure;
		return reading(false, failure);
	}
}

function tooSlow(): InputError {
	return new InputError(
		'The list of uploads could not be read in the time that n8n allows',
		'Increase Page Size, or decrease Look-Back or Follow For',
	);
}
