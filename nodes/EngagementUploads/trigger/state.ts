/**
 * The state that the trigger keeps between polls. It grows only with the uploads in the window, and those whose
 * date is missing or cannot be read.
 */
import { HOUR } from '../values/clock';
import { InputError } from '../values/inputError';
import { isObject } from '../values/objects';
import type { TriggerSettings } from './settings';

const VERSION = 7;
/** Time zones differ by up to 26 hours, so that much of what was read is read again. */
export const OVERLAP = 26 * HOUR;

/** What is remembered of an upload. */
interface KnownUpload {
	time: number;
	/** What had occurred to it when it was emitted or recorded. */
	last?: string;
}

export interface State {
	version: typeof VERSION;
	/** The trigger starts over when the event or the start is another. */
	event: string;
	start: string;
	/** It also starts over when the client is another; empty until a request has revealed it. */
	client: string;
	/** Where the window begins: uploads dated before it are never emitted; null if all are. */
	from: number | null;
	/** The newest date that the last poll has seen, but none after what is still due. */
	newest: number | null;
	/** Uploads are recorded, not emitted, until the list has been read once. */
	needsBaseline: boolean;
	/** By ID, the uploads that were emitted or that the first poll recorded. */
	known: Record<string, KnownUpload>;
	/** How many polls have emitted something; of two copies of the state, the one after more of them counts. */
	emissions: number;
}

/** The state of a trigger that has not polled yet. */
export function createState(settings: TriggerSettings, now: number): State {
	const { event, lookback, start, startsNow, readStartDate } = settings;
	const span = event.span?.(settings) ?? 0;
	return {
		version: VERSION,
		event: event.value,
		start,
		client: '',
		from: (startsNow ? now - span - lookback - OVERLAP : readStartDate()) ?? null,
		newest: null,
		needsBaseline: startsNow,
		known: {},
		emissions: 0,
	};
}

/** What is remembered of an upload, if anything. */
export function findKnown({ known }: State, id: string): KnownUpload | undefined {
	return Object.hasOwn(known, id) ? known[id] : undefined;
}

/** A saved state, if there is one. @throws InputError if it cannot be read */
export function parseState(value: unknown): State | undefined {
	if (value === undefined || isState(value)) return value;
	throw new InputError(
		'The saved state of the trigger cannot be read',
		'Restore a backup of the workflow, or delete the trigger and add it again, so that it starts over',
	);
}

function isState(value: unknown): value is State {
	if (!isObject(value) || value.version !== VERSION) return false;
	const { event, start, client, from, newest, known, emissions } = value;
	const isTime = (time: unknown) => time === null || Number.isFinite(time);
	return (
		[event, start, client].every((text) => typeof text === 'string') &&
		[from, newest].every(isTime) &&
		isObject(known) &&
		Object.values(known).every((entry) => isObject(entry) && Number.isFinite(entry.time)) &&
		Number.isFinite(emissions)
	);
}
