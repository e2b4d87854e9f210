import { printDate } from './dates.mts';
import { fullName, type Connector, type Engagement, type Upload, type User } from './records.mts';
import type { Service } from './service.mts';
import { listSteps } from './workflow.mts';

/** A record as JSON, with the field names of docs/service.md#records. */
export type Json = Record<string, unknown>;

/** What rendering needs besides the records themselves. */
export type Rendering = Pick<Service, 'clientId' | 'resellerId' | 'model' | 'settings'>;

function formatTime({ settings }: Rendering, time: number | null): string | number | null {
	return printDate(time, settings.dateForm, settings.printZone);
}

/** An engagement as in the list. */
export function engagementRecord(rendering: Rendering, engagement: Engagement): Json {
	const { id, connectorId, name, externalEngagementId, contact } = engagement;
	return {
		Id: id,
		externalEngagementId,
		clientId: rendering.clientId,
		relationshipManager: engagement.relationshipManager,
		Owner: { ...engagement.owner },
		connectorId: connectorId === null ? null : Number(connectorId),
		name,
		status: engagement.status,
		Sme: { name: contact && fullName(contact) },
		type: 'AUDIT',
		locale: 'en-GB',
		createdAt: formatTime(rendering, engagement.createdAt),
		reconciliationEnabled: false,
		dataRefreshEnabled: engagement.dataRefreshEnabled,
	};
}

/** A new engagement, in its flat form: the contact, if any, takes the place of the owner. */
export function createdEngagementRecord(rendering: Rendering, engagement: Engagement): Json {
	const { Owner, Sme, dataRefreshEnabled, relationshipManager, ...rest } = engagementRecord(
		rendering,
		engagement,
	);
	const nobody = { firstName: null, lastName: null, email: null, phone: null, title: null };
	const contact = engagement.contact ?? nobody;
	return { ...rest, ...contact, Id: String(engagement.id), externalSmeId: 'AUDIT' };
}

/** An upload as in the upload list. */
export function uploadRecord(rendering: Rendering, upload: Upload): Json {
	const engagement = rendering.model.engagements.existing(upload.engagementId);
	return {
		...uploadCore(rendering, upload),
		uploadStatus: upload.status,
		externalEngagementId: engagement.externalEngagementId,
		engagementName: engagement.name,
	};
}

/** An upload as an engagement's last one. */
export function lastUploadRecord(rendering: Rendering, upload: Upload): Json {
	const { resellerId } = rendering;
	const others = { status: upload.status, resellerId, withMemo: false, memo: null, content: null };
	return { ...uploadCore(rendering, upload), ...others };
}

/** The fields that both share. */
function uploadCore(rendering: Rendering, upload: Upload): Json {
	const { model } = rendering;
	const engagement = model.engagements.existing(upload.engagementId);
	const { contact } = engagement;
	const connector = model.findConnector(upload.connectorName);
	return {
		uploadId: upload.uploadId,
		clientId: rendering.clientId,
		engagementId: engagement.id,
		contactId: contact && String(70_000 + engagement.id),
		creationDate: formatTime(rendering, upload.createdAt),
		completionDate: formatTime(rendering, upload.completedAt),
		connectorName: upload.connectorName,
		connectorVersion: connector?.version ?? null,
		active: engagement.active,
		uploadType: upload.uploadType,
		smeId: contact && 50_000 + engagement.id,
		smeName: contact && fullName(contact),
	};
}

/** An upload's workflow with its steps. */
export function workflowRecord(rendering: Rendering, upload: Upload): Json {
	const engagement = rendering.model.engagements.existing(upload.engagementId);
	const steps = listSteps(upload, rendering.settings).map((step) => ({
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
		smeId: engagement.contact && 50_000 + engagement.id,
		userId: rendering.model.users[0]?.id ?? 1,
		status: upload.status,
		lastUpdate: formatTime(rendering, upload.lastUpdate),
		usePassthrough: engagement.usePassthrough,
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
