/** The data status of an engagement, derived from its last upload. */
import type { IDataObject } from 'n8n-workflow';
import { simplify } from './kind';
import { engagement as engagementKind, type Engagement } from './records';
import { lastUpload, type Upload } from './uploadRecords';
import { completionTime, readOutcome } from './uploadStatus';
import { DAY } from '../values/clock';
import { parsePlausibleTime } from '../values/dates';
import { readBoolean } from '../values/scalars';
import { isAbsent } from '../values/text';

type DataStatus = 'never' | 'disabled' | 'failed' | 'stale' | 'fresh' | 'stuck' | 'running';

/** What the data status depends on besides the upload; times in milliseconds. */
interface StatusRules {
	now: number;
	staleAfter: number;
	stuckAfter: number;
	/** IANA zone of times without an offset */
	zone: string;
}

/** The fields that a data status record adds to those of the engagement, with their meanings. */
export const dataStatusMeanings = {
	ageDays: 'Age of the data in days, if the last upload has completed',
	completionDate: 'When the last upload was completed',
	connectorName: 'Connector of the last upload',
	creationDate: 'When the last upload was started',
	dataStatus: 'Data status, as in Data Statuses',
	lastUploadId: 'ID of the last upload',
};

/** The data status record of an engagement; `last` is undefined if it has no upload. */
export function dataStatusRecord(
	engagement: Engagement,
	last: Upload | undefined,
	rules: StatusRules,
): IDataObject & { dataStatus: DataStatus } {
	const { zone, now } = rules;
	const own = simplify(engagement, engagementKind, { zone });
	const upload = simplify(last ?? {}, lastUpload, { zone });
	const completedAt = completionTime(last ?? {}, zone);
	return {
		name: isAbsent(own.name) ? own.smeName : own.name,
		dataStatus: toDataStatus(last, rules),
		ageDays: completedAt === undefined ? null : Math.max(0, Math.floor((now - completedAt) / DAY)),
		completionDate: completedAt === undefined ? null : new Date(completedAt).toISOString(),
		engagementId: own.engagementId,
		externalEngagementId: own.externalEngagementId,
		connectorName: upload.connectorName,
		dataRefreshEnabled: own.dataRefreshEnabled,
		lastUploadId: upload.uploadId,
		creationDate: upload.creationDate,
	};
}

/** The first that holds. */
function toDataStatus(
	last: Upload | undefined,
	{ now, staleAfter, stuckAfter, zone }: StatusRules,
): DataStatus {
	if (last === undefined) return 'never';
	if (readBoolean(last.active) === false) return 'disabled';
	const outcome = readOutcome(last, zone);
	if (outcome === 'failed') return outcome;
	const age = (date: number | undefined) => now - (date ?? now);
	if (outcome === 'completed')
		return age(completionTime(last, zone)) > staleAfter ? 'stale' : 'fresh';
	return age(parsePlausibleTime(last.creationDate, zone)) > stuckAfter ? 'stuck' : 'running';
}
