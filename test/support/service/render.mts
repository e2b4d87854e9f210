import { printDate } from './dates.mts';
import type { ServiceModel } from './model.mts';
import type { Connector, Engagement, Upload, User } from './records.mts';
import type { Settings } from './settings.mts';
import { stepsOf } from './workflow.mts';

/** A record as JSON, with the field names of docs/service.md#records. */
export type Json = Record<string, unknown>;

/** What rendering needs besides the records themselves. */
export interface Rendering {
	clientId: string;
	resellerId: string;
	model: ServiceModel;
	settings: Settings;
}

function formatTime({ settings }: Rendering, time: number | null): string | number | null {
	return printDate(time, settings.dateForm, settings.printZone);
}

/** An engagement as in the list. */
export function engagementRecord(rendering: Rendering, engagement: Engagement): Json {
	return {
		Id: engagement.id,
		externalEngagementId: engagement.externalEngagementId,
		clientId: rendering.clientId,
		relationshipManager: engagement.relationshipManager,
		Owner: { ...engagement.owner },
		connectorId: engagement.connectorId === null ? null : Number(engagement.connectorId),
		name: engagement.name,
		status: engagement.status,
		Sme: { name: engagement.smeName },
		type: engagement.type,
		locale: engagement.locale,
		createdAt: formatTime(rendering, engagement.createdAt),
		reconciliationEnabled: engagement.reconciliationEnabled,
		dataRefreshEnabled: engagement.dataRefreshEnabled,
	};
}

/** A new engagement, in its flat form. */
export function createdEngagementRecord(rendering: Rendering, engagement: Engagement): Json {
	const { Owner, Sme, dataRefreshEnabled, ...rest } = engagementRecord(rendering, engagement);
	return { ...rest, ...engagement.owner, Id: String(engagement.id), externalSmeId: 'AUDIT' };
}

/** An upload as in the upload list. */
export function uploadRecord(rendering: Rendering, upload: Upload): Json {
	const engagement = rendering.model.engagements.get(upload.engagementId);
	const record = uploadCore(rendering, upload, engagement);
	record.uploadStatus = upload.status;
	record.externalEngagementId = engagement?.externalEngagementId ?? null;
	record.engagementName = engagement?.name ?? null;
	return record;
}

/** An upload as an engagement's last one. */
export function lastUploadRecord(rendering: Rendering, upload: Upload): Json {
	const engagement = rendering.model.engagements.get(upload.engagementId);
	const { resellerId } = rendering;
	const others = { status: upload.status, resellerId, withMemo: false, memo: null, content: null };
	return Object.assign(uploadCore(rendering, upload, engagement), others);
}

/** The fields that both share. */
function uploadCore(
	rendering: Rendering,
	upload: Upload,
	engagement: Engagement | undefined,
): Json {
	const connector = rendering.model.findConnector(upload.connectorName);
	return {
		uploadId: upload.uploadId,
		clientId: rendering.clientId,
		engagementId: upload.engagementId,
		contactId: engagement?.contactId ?? null,
		creationDate: formatTime(rendering, upload.createdAt),
		completionDate: formatTime(rendering, upload.completedAt),
		connectorName: rendering.settings.connectorTitles ? connector?.title : upload.connectorName,
		connectorVersion: connector?.version ?? null,
		active: engagement?.active ?? false,
		uploadType: upload.uploadType,
		smeId: engagement?.smeId ?? null,
		smeName: engagement?.smeName ?? null,
	};
}

/** An upload's workflow with its steps. */
export function workflowRecord(rendering: Rendering, upload: Upload): Json {
	const engagement = rendering.model.engagements.get(upload.engagementId);
	const steps = stepsOf(upload).map((step) => ({
		...step,
		created: formatTime(rendering, step.created),
		started: formatTime(rendering, step.started),
		lastUpdate: formatTime(rendering, step.lastUpdate),
	}));
	return {
		uploadId: upload.uploadId,
		created: formatTime(rendering, upload.createdAt),
		started: formatTime(rendering, upload.startedAt),
		clientId: rendering.clientId,
		engagementId: upload.engagementId,
		connector: upload.connectorName,
		smeId: engagement?.smeId ?? null,
		userId: rendering.model.users[0]?.id ?? 1,
		status: upload.status,
		lastUpdate: formatTime(rendering, upload.lastUpdate),
		usePassthrough: engagement?.usePassthrough ?? false,
		steps,
	};
}

/** A user; its times are always numbers (docs/service.md#user-record). */
export function userRecord({ clientId, resellerId }: Rendering, user: User): Json {
	return { ...user, resellerId: '1', clientId, resellerUuid: resellerId, clientUuid: clientId };
}

export function connectorRecord(connector: Connector): Json {
	const { id, name, description, type, title, isRefreshable, scopes } = connector;
	return { id, name, description, type, title, isRefreshable, scopes };
}
