/** Once, when it has neither completed nor failed *Stuck After* hours after its creation. */
import type { UploadEvent } from './event';
import { number } from '../../fields/field';
import { HOUR } from '../../values/clock';
import { InputError } from '../../values/inputError';
import { isAbsent } from '../../values/text';
import { hasEnded, isReadable } from '../upload';

/** A field that only this event has. */
export const stuckAfterField = number(
	'Stuck After (Hours)',
	'How long after its creation an upload counts as stuck if it has neither completed nor failed',
	{ default: 6, min: 0, unit: HOUR },
);

export const uploadStuck: UploadEvent = {
	value: 'uploadStuck',
	name: 'Upload Stuck',
	description:
		'Triggers once for each upload that is still unfinished some hours after it was created',
	date: 'creationDate',
	occurrence(upload, now, { stuckAfter = 0 }) {
		// One whose creation date cannot be read is emitted at once, rather than never.
		const isOld = isReadable(upload.time)
			? now >= upload.time + stuckAfter
			: !isAbsent(upload.record.creationDate);
		return isOld && !hasEnded(upload) ? 'stuck' : undefined;
	},
	isFollowing: true,
	check({ followFor = Infinity, stuckAfter = 0 }) {
		if (stuckAfter < followFor) return;
		throw new InputError(
			'Stuck After is not shorter than Follow For, so no upload would count as stuck',
			'Decrease Stuck After, or increase Follow For',
		);
	},
};
