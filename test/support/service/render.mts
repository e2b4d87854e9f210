/** The records as they are sent: their fields, and which of them are times, follow from the product's description. */
import type { RecordFields } from '../../../nodes/EngagementUploads/service/kind.ts';
import { kinds, type KindName } from '../../../nodes/EngagementUploads/service/records.ts';
import { printDate } from './dates.mts';
import { fullName, type Connector, type Engagement, type Upload, type User } from './records.mts';
import type { Service } from './service.mts';
import type { Settings } from './settings.mts';
import { listSteps } from './workflow.mts';

/** A record as JSON, with the field names of docs/service.md#records. */
export type Json = Record<string, unknown>;

/** What rendering needs besides the records themselves. */
export type Rendering = Pick<Service, 'clientId' | 'resellerId' | 'model' | 'settings'>;

/** By kind: the fields of its records; nested ones are in one value. */
const NAMES = Object.fromEntries(
	Object.entries(kinds).map(([kind, { fields }]) => [
		kind,
		[...new Set(Object.keys(fields).map((path) => path.replace(/\..*/, '')))],
	]),
);

/** A record of a kind as it is sent, from values under the service's names, times in epoch ms. */
function print(kind: KindName, values: Json, { settings }: Rendering): Json {
	const fields: RecordFields = kinds[kind].fields;
	const printValue = (name: string) =>
		fields[name]?.type === 'time' ? printTime(values[name], settings) : (values[name] ?? null);
	return Object.fromEntries((NAMES[kind] ?? []).map((name) => [name, printValue(name)]));
}

function printTime(time: unknown, { printZone }: Settings) {
	return printDate(typeof time === 'number' ? time : null, printZone);
}

/** The values of an engagement in the list. */
export function engagementValues({ clientId }: Rendering, engagement: Engagement): Json {
	const { id, connectorId, owner, contact } = engagement;
	return {
		...engagement,
		Id: id,
		clientId,
		Owner: owner,
		Sme: { name: contact && fullName(contact) },
		connectorId: connectorId === null ? null : Number(connectorId),
		type: 'AUDIT',
		locale: 'en-GB',
		reconciliationEnabled: false,
	};
}

export function engagementRecord(rendering: Rendering, engagement: Engagement): Json {
	return print('engagement', engagementValues(rendering, engagement), rendering);
}

/** A new engagement, in its flat form: the contact, if any, takes the place of the owner. */
export function createdEngagementRecord(rendering: Rendering, engagement: Engagement): Json {
	const values = engagementValues(rendering, engagement);
	const own = { ...engagement.contact, Id: String(engagement.id), externalSmeId: 'AUDIT' };
	return print('createdEngagement', { ...values, ...own }, rendering);
}

/** The values of an upload in either list, and of its workflow. */
export function uploadValues({ model, clientId, resellerId }: Rendering, upload: Upload): Json {
	const engagement = model.engagements.existing(upload.engagementId);
	const { contact, active, externalEngagementId, usePassthrough } = engagement;
	return {
		...upload,
		clientId,
		resellerId,
		uploadStatus: upload.status,
		externalEngagementId,
		engagementName: engagement.name,
		contactId: contact && String(70_000 + engagement.id),
		creationDate: upload.createdAt,
		completionDate: upload.completedAt,
		connectorVersion: model.findConnector(upload.connectorName)?.version,
		active,
		smeId: contact && 50_000 + engagement.id,
		smeName: contact && fullName(contact),
		withMemo: false,
		usePassthrough,
	};
}

export function uploadRecord(rendering: Rendering, upload: Upload): Json {
	return print('upload', uploadValues(rendering, upload), rendering);
}

export function lastUploadRecord(rendering: Rendering, upload: Upload): Json {
	return print('lastUpload', uploadValues(rendering, upload), rendering);
}

/** An upload's workflow with its steps. */
export function workflowRecord(rendering: Rendering, upload: Upload): Json {
	const { model, settings } = rendering;
	const { connectorName: connector, createdAt: created, startedAt: started } = upload;
	const steps = listSteps(upload).map((step) => ({
		...step,
		created: printTime(step.created, settings),
		started: printTime(step.started, settings),
		lastUpdate: printTime(step.lastUpdate, settings),
	}));
	const own = { connector, created, started, userId: model.users[0]?.id ?? 1, steps };
	return print('workflow', { ...uploadValues(rendering, upload), ...own }, rendering);
}

/** A user; its times are always numbers (docs/service.md#user-record). */
export function userRecord({ clientId, resellerId }: Rendering, user: User): Json {
	return { ...user, resellerId: '1', clientId, resellerUuid: resellerId, clientUuid: clientId };
}

/** A connector; its version is only in uploads. */
export function connectorRecord({ version: _, ...record }: Connector): Json {
	return record;
}
