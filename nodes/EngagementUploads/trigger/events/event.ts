/**
 * An event of the trigger: everything that is special about it. There is one file per event, which
 * begins with what the event promises, and `index.ts` lists them. Editor, documents and tests derive
 * the rest from this: nothing compares an event's value to know how it behaves.
 */
import type { Fields, Values } from '../../fields/field';
import type { DateField, SeenUpload } from '../upload';

export interface UploadEvent<F extends Fields = Fields> {
	/** Value of the option, as saved in workflows. */
	value: string;
	name: string;
	description: string;
	/** What a model that builds workflows should know about it. */
	builderHint?: string;
	/** The date by which its uploads are found. */
	date: DateField;
	/**
	 * What has occurred to an upload at a time (epoch milliseconds), if anything. It is emitted
	 * when it differs from what was seen before; something that occurs once has one name.
	 */
	occurrence(upload: SeenUpload, now: number, parameters: Values<F>): string | undefined;
	/**
	 * It may occur long after the date: uploads are followed until the look-back has passed since they
	 * ended, and no longer than Follow For. There is no choice of a start.
	 */
	isFollowing?: true;
	/** It may occur several times; items then have `previousStatus`. */
	isRepeating?: true;
	/** While its status is a failed one, it does not occur: a filter of failed ones alone is an error. */
	excludesFailed?: true;
	/** Parameters of its own, which are shown beside the event. */
	parameters?: F;
	/**
	 * Checks its parameters; Follow For is in milliseconds.
	 * @throws InputError if they make no sense
	 */
	check?(settings: Values<F> & { followFor: number }): void;
}
