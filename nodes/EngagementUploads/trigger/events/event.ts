/**
 * An event of the trigger: everything that is special about it. Each event has a file, which begins with what
 * the event promises, and is listed in `index.ts`. Editor, documents and tests derive the rest.
 */
import type { Fields, Values } from '../../fields/field';
import type { DateField, SeenUpload } from '../upload';

export interface UploadEvent<F extends Fields = Fields> {
	/** Value of the option, as saved in workflows. */
	value: string;
	name: string;
	description: string;
	/** For a model that builds workflows. */
	builderHint?: string;
	/** The date by which uploads are found. */
	date: DateField;
	/**
	 * What has occurred to an upload by `now` (epoch milliseconds), if anything. The upload is emitted when
	 * this differs from before; an event that occurs once always returns the same text.
	 */
	occurrence(upload: SeenUpload, now: number, parameters: Values<F>): string | undefined;
	/**
	 * It may occur long after the date, so uploads are followed until the look-back has passed since their
	 * end, but no longer than Follow For. Start From is not offered.
	 */
	isFollowing?: true;
	/** It may occur several times, and items have `previousStatus`. */
	isRepeating?: true;
	/** Parameters that are shown only for events that have them; events may share one. */
	parameters?: F;
	/** Checks its parameters; Follow For is in milliseconds. @throws InputError */
	check?(settings: Values<F> & { followFor: number }): void;
}
