/**
 * Converts states saved by version 0.1.0, so that nothing is lost or repeated after an upgrade.
 */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import type { FilterRule } from '../fields/uploadFilters';
import { initialState, type CursorState, type Identity } from './state';

/** What identifies a state of 0.1.0, besides its owner. */
export interface OldIdentity extends Identity {
	/** Base URL, client and start, combined as in 0.1.0. */
	source: string;
	filter: FilterRule[];
}

interface OldState extends IDataObject {
	version: 1;
	source: string;
	filter: string;
	mark: number | null;
	since: number | null;
	isInstant: boolean;
	noted: IDataObject;
}

/** A state of 0.1.0. */
export function isOldState(value: unknown): value is OldState {
	return isObject(value) && value.version === 1 && isObject(value.noted);
}

/** Whether a state of 0.1.0 belongs to this service, client and start. */
export function isFromSource(old: OldState, { source }: OldIdentity): boolean {
	return old.source === digest(source);
}

/** The state in the current form; undefined for events that 0.1.0 did not have. */
export function convertOldState(old: OldState, identity: OldIdentity): CursorState | undefined {
	const { event, client, start, filter } = identity;
	if (event !== 'uploadCompleted') return undefined;
	const { mark, since, isInstant } = old;
	const isSameFilter = old.filter === digest(JSON.stringify(filter));
	const seen: Record<string, number> = {};
	const filteredOut: Record<string, number> = {};
	for (const [id, note] of Object.entries(old.noted)) {
		if (!isObject(note) || typeof note.time !== 'number') continue;
		const isOpen = note.passedOver === true && isSameFilter;
		(isOpen ? filteredOut : seen)[id] = note.time;
	}
	const state = initialState({ event, client, start }, filter);
	return { ...state, mark, previous: mark, since, isInstant, seen, filteredOut };
}

export function digest(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
