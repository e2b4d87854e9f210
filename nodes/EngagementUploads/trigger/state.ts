/**
 * The state that the trigger keeps between polls: what it consists of, and how it begins. It grows only with
 * the uploads in the look-back, those that are followed, and those whose date is missing or
 * cannot be read.
 */
import type { IPollFunctions } from 'n8n-workflow';
import { CREDENTIAL, parseCredential } from '../transport/credential';
import { HOUR } from '../values/clock';
import { InputError } from '../values/inputError';
import { toUuid } from '../values/ids';
import { isObject } from '../values/objects';
import { fingerprint } from '../values/text';
import { toInstant, toLocalTime } from '../values/zones';
import type { TriggerSettings } from './settings';

const VERSION = 5;
/** The service's dates may be ahead of its clock by this much, since time zones differ by up to 26 hours. */
export const MAX_AHEAD = 26 * HOUR;
/** Start From Now records this much more than the look-back, since zones differ and clocks change. */
const FIRST_MARGIN = MAX_AHEAD + 2 * HOUR;

/** The trigger starts over when one of these changes. */
export interface Identity {
	event: string;
	/** The fingerprint of the client ID; empty until the first token has revealed that. */
	client: string;
	/** The fingerprint of where the trigger starts. */
	start: string;
}

/** What is remembered of an upload. */
export interface KnownUpload {
	/** Its latest date. */
	time: number;
	/** What had occurred to it when it was emitted or recorded; for Status Changed, when it was last seen. */
	last?: string;
	/** Only for events that follow uploads. */
	engagementId?: string;
	/** When it ended, if it has; only for events that follow uploads. */
	end?: number;
}

export interface State extends Identity {
	version: typeof VERSION;
	/** The newest date processed, but never later than the service's own time; null before the first. */
	watermark: number | null;
	/** Uploads dated before this are ignored, unless they are followed; null if there is no such limit. */
	windowStart: number | null;
	/** Start Date, if the user chose one: the window never begins before it. */
	startDate?: number;
	/** How far before the window the next poll's date filter begins. */
	margin?: number;
	/** Uploads are recorded, not emitted, until the list has been read to its end once. */
	needsBaseline: boolean;
	/** By ID, the uploads that were emitted or that the first poll recorded, and those that are followed. */
	known: Record<string, KnownUpload>;
	/** The service's time at the last poll. */
	polledAt?: number;
	/** The credential's Time Zone at the last poll. */
	zone?: string;
	/** How many polls have emitted something. */
	emissions: number;
	/** Saved by durable polling, which prefers the node's own data. */
	isDurable?: boolean;
	/** In the copy of the first durable emission: the state before, in case n8n rolls the emission back. */
	before?: State;
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
	const isSameClient = one.client === '' || other.client === '' || one.client === other.client;
	return one.event === other.event && one.start === other.start && isSameClient;
}

/** What makes the trigger start over when it changes. */
export async function readIdentity(
	context: IPollFunctions,
	{ event, start }: TriggerSettings,
): Promise<Identity> {
	const { clientId } = parseCredential(await context.getCredentials(CREDENTIAL));
	// Empty until the first token has been fetched, which may reveal it.
	const client = clientId && fingerprint(toUuid(clientId).toLowerCase());
	return { event: event.value, client, start };
}

/** The state of a trigger that has not polled yet. */
export function createState(
	identity: Identity,
	{ event, followFor, lookback, startsNow, readStartDate }: TriggerSettings,
	now: number,
): State {
	const begin = (start: Pick<State, 'windowStart' | 'startDate' | 'needsBaseline'>): State => {
		return { version: VERSION, ...identity, watermark: null, known: {}, emissions: 0, ...start };
	};
	if (!startsNow) {
		const startDate = readStartDate();
		return begin({ windowStart: startDate ?? null, startDate, needsBaseline: false });
	}
	const length = Math.max(event.isFollowing ? followFor : 0, lookback + FIRST_MARGIN);
	return begin({ windowStart: now - length, needsBaseline: true });
}

/** What is remembered of an upload, if anything. */
export function findKnown({ known }: State, id: string): KnownUpload | undefined {
	return Object.hasOwn(known, id) ? known[id] : undefined;
}

/**
 * Adapts the state to another Time Zone in the credential. Dates without an offset now mean other times, those
 * with one do not. The earlier of the two counts, so that nothing is left out, though some may come again.
 */
export function toZone(state: State, zone: string): State {
	const { zone: old = zone, watermark, windowStart, startDate = -Infinity } = state;
	// Without a watermark, the window does not depend on the date of any upload.
	if (old === zone || watermark === null) return { ...state, zone };
	const earlier = (time: number) => Math.min(time, toInstant(toLocalTime(time, old), zone));
	const start = windowStart && Math.max(startDate, earlier(windowStart));
	return { ...state, zone, watermark: earlier(watermark), windowStart: start };
}

/** A saved state, if there is one with this identity. @throws InputError if it cannot be read */
export function parseState(value: unknown, identity?: Identity): State | undefined {
	if (value === undefined) return undefined;
	if (isState(value)) return isSameIdentity(value, identity ?? value) ? value : undefined;
	throw new InputError(
		'The saved state of the trigger cannot be read',
		'Restore a backup of the workflow, or delete the trigger and add it again, so that it starts over',
	);
}

function isState(value: unknown): value is State {
	if (!isObject(value) || value.version !== VERSION) return false;
	const { watermark, windowStart, known, event, client, start, emissions, before } = value;
	const hasTexts = [event, client, start].every((text) => typeof text === 'string');
	const hasTimes = [watermark, windowStart].every((time) => time === null || Number.isFinite(time));
	const hasKnown =
		isObject(known) &&
		Object.values(known).every((entry) => isObject(entry) && Number.isFinite(entry.time));
	const hasBefore = before === undefined || isState(before);
	return hasTexts && hasTimes && hasKnown && Number.isFinite(emissions) && hasBefore;
}
