/**
 * The data status of an engagement, derived from its last upload, and the age of its data, derived from the
 * last upload that completed: after a failed one, the data is as old as before.
 */
import type { IDataObject } from 'n8n-workflow';
import { simplify } from './kind';
import { engagement as engagementKind, type Engagement } from './records';
import { lastUpload, type Upload } from './uploadRecords';
import { completionTime, readOutcome } from './uploadStatus';
import { DAY } from '../values/clock';
import { parseTime } from '../values/dates';
import { readBoolean } from '../values/scalars';
import { isAbsent } from '../values/text';

/** In the order of precedence. */
type DataStatus =
	| 'unknown'
	| 'disabled'
	| 'never'
	| 'failed'
	| 'stale'
	| 'fresh'
	| 'stuck'
	| 'running';

/** The uploads of an engagement that matter for its data status; both are undefined if it has none. */
export interface UploadHistory {
	last?: Upload;
	/** The last one that completed. */
	completed?: Upload;
	/** Whether the last completed one could not be looked up. */
	isCompletedUnknown?: boolean;
}

/** What the data status depends on besides the uploads; times in milliseconds. */
interface StatusRules {
	now: number;
	staleAfter: number;
	stuckAfter: number;
	/** IANA zone of times without an offset */
	zone: string;
}

/** What the data status record adds to fields of the engagement, and what it means. */
export const dataStatusMeanings = {
	active: 'Whether the engagement is enabled, as the last upload says',
	ageDays: 'Age of the data in days: since the last upload that completed',
	completionDate: 'When the last upload that completed was completed',
	connectorName: 'Connector of the last upload',
	creationDate: 'When the last upload was started',
	dataStatus: 'Data status, as in Data Statuses',
	lastUploadId: 'ID of the last upload',
};

/** The data status record of an engagement; `history` is undefined if the service does not say. */
export function dataStatusRecord(
	engagement: Engagement,
	history: UploadHistory | undefined,
	rules: StatusRules,
): IDataObject & { dataStatus: DataStatus } {
	const { zone } = rules;
	const { last = {}, completed = {} } = history ?? {};
	const own = simplify(engagement, engagementKind, { zone });
	const upload = simplify(last, lastUpload, { zone });
	const age = ageOfData(history, rules);
	return {
		engagementId: own.engagementId,
		externalEngagementId: own.externalEngagementId,
		name: isAbsent(own.name) ? own.smeName : own.name,
		dataStatus: toDataStatus(history, rules),
		ageDays: age === undefined ? null : Math.max(0, Math.floor(age / DAY)),
		completionDate: simplify(completed, lastUpload, { zone }).completionDate,
		dataRefreshEnabled: own.dataRefreshEnabled,
		lastUploadId: upload.uploadId,
		connectorName: upload.connectorName,
		creationDate: upload.creationDate,
	};
}

/** How long ago the last completed upload completed; undefined if there is none. */
export function ageOfData(
	history: UploadHistory | undefined,
	{ now, zone }: Pick<StatusRules, 'now' | 'zone'>,
): number | undefined {
	const completedAt = completionTime(history?.completed ?? {}, zone);
	return completedAt === undefined ? undefined : now - completedAt;
}

/** Whether the last upload says that the engagement is disabled; by default, it is enabled. */
export function isDisabled({ last = {} }: UploadHistory): boolean {
	return readBoolean(last.active) === false;
}

function toDataStatus(
	history: UploadHistory | undefined,
	{ now, staleAfter, stuckAfter, zone }: StatusRules,
): DataStatus {
	if (history === undefined) return 'unknown';
	if (isDisabled(history)) return 'disabled';
	const { last } = history;
	if (last === undefined) return 'never';
	const outcome = readOutcome(last, zone);
	if (outcome === 'failed') return outcome;
	if (outcome === 'completed') {
		const completed = completionTime(last, zone) ?? now;
		return now - completed > staleAfter ? 'stale' : 'fresh';
	}
	const created = parseTime(last.creationDate, zone) ?? now;
	return now - created > stuckAfter ? 'stuck' : 'running';
}
