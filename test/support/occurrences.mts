import { readFields } from '../../nodes/EngagementUploads/fields/field.ts';
import type { UploadEvent } from '../../nodes/EngagementUploads/trigger/events/event.ts';
import type { Upload } from './service/records.mts';

/** What has occurred to an upload of the simulated service, as an event with its defaults says. */
export function findOccurrence(
	event: UploadEvent,
	upload: Pick<Upload, 'uploadId' | 'status' | 'createdAt' | 'completedAt'>,
	now: number,
): string | undefined {
	const { uploadId, status, createdAt, completedAt } = upload;
	const time = event.date === 'completionDate' ? completedAt : createdAt;
	if (time === null) return undefined;
	const parameters = readFields(event.parameters ?? {}, { zone: 'UTC', value: () => undefined });
	const dates = { time, completedAt: completedAt ?? undefined };
	return event.occurrence({ id: uploadId, status, ...dates, record: {} }, now, parameters);
}
