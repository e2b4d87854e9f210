/**
 * An event of the trigger: everything that is special about it. Each event has a file, which begins with what
 * the event promises, and is listed in `index.ts`. Editor, documents and tests derive the rest.
 */
import type { DateField, SeenUpload } from '../upload';

/** The trigger's settings that an event may depend on, in milliseconds. */
export interface EventSettings {
	stuckAfter?: number;
	followFor?: number;
}

export interface UploadEvent {
	/** Value of the option, as saved in workflows. */
	value: string;
	name: string;
	description: string;
	/** The date by which uploads are found. */
	date: DateField;
	/**
	 * What has occurred to an upload by `now` (epoch milliseconds), if anything. The upload is emitted when
	 * this differs from before; an event that occurs once always returns the same text.
	 */
	occurrence(upload: SeenUpload, now: number, settings: EventSettings): string | undefined;
	/**
	 * It may occur long after the date, so uploads are followed until the look-back has passed since their
	 * end, but no longer than Follow For. Start From is not offered.
	 */
	isFollowing?: true;
	/** It may occur several times, and items have `previousStatus`. */
	isRepeating?: true;
	/** Checks the settings. @throws InputError */
	check?(settings: EventSettings): void;
}
