/** The data status of an engagement, derived from its last upload. */
import type { IDataObject } from 'n8n-workflow';
import type { Engagement, Upload } from '../api/records';
import { isFailedStatus, statusOf } from '../api/uploadStatus';
import { simplify } from './simplified';
import { parsePlausibleTime, parseTime } from '../values/dates';

/** In the order in which they are checked: the first that holds is the data status. */
type DataStatus = 'never' | 'failed' | 'stale' | 'fresh' | 'stuck' | 'running';

/** When the data status is determined, and its limits; all in milliseconds. */
interface StatusRules {
	now: number;
	staleAfter: number;
	stuckAfter: number;
	/** IANA zone of times without an offset */
	zone: string;
}

const DAY = 24 * 3_600_000;

/** The data status record of an engagement; `upload` is its last upload, if it has any. */
export function dataStatusRecord(
	engagement: Engagement,
	upload: Upload | undefined,
	rules: StatusRules,
): IDataObject & { dataStatus: DataStatus } {
	const { zone, now } = rules;
	const own = simplify(engagement, 'engagement', { zone });
	const last = simplify(upload ?? {}, 'upload', { zone });
	const completed = parsePlausibleTime(upload?.completionDate, zone);
	return {
		engagementId: own.engagementId,
		externalEngagementId: own.externalEngagementId,
		name: own.name,
		dataStatus: dataStatusOf(upload, rules),
		dataRefreshEnabled: own.dataRefreshEnabled,
		lastUploadId: last.uploadId,
		connectorName: last.connectorName,
		creationDate: last.creationDate,
		completionDate: last.completionDate,
		ageDays: completed === undefined ? null : Math.max(0, Math.floor((now - completed) / DAY)),
	};
}

function dataStatusOf(
	upload: Upload | undefined,
	{ now, staleAfter, stuckAfter, zone }: StatusRules,
): DataStatus {
	if (upload === undefined) return 'never';
	if (isFailedStatus(statusOf(upload))) return 'failed';
	const completed = parsePlausibleTime(upload.completionDate, zone);
	if (completed !== undefined) return now - completed > staleAfter ? 'stale' : 'fresh';
	const created = parseTime(upload.creationDate, zone) ?? now;
	return now - created > stuckAfter ? 'stuck' : 'running';
}
