/** The records as they are sent: their fields, and which of them are times, follow from the product's description. */
import type { RecordFields } from '../../../nodes/EngagementUploads/service/kind.ts';
import { kinds, type KindName } from '../../../nodes/EngagementUploads/service/records.ts';
import { isObject } from '../../../nodes/EngagementUploads/values/objects.ts';
import { printDate } from './dates.mts';
import { CLIENT_ID, fullName, RESELLER_ID, type Engagement, type Upload } from './records.mts';
import type { Service } from './service.mts';
import { listSteps } from './workflow.mts';

/** A record as JSON, with the field names of docs/service.md#records. */
export type Json = Record<string, unknown>;

/** What rendering needs besides the records themselves. */
export type Rendering = Pick<Service, 'model' | 'settings'>;

/** By kind: the fields of its records; nested ones are in one value. */
const NAMES = Object.fromEntries(
	Object.entries(kinds).map(([kind, { fields }]) => [
		kind,
		[...new Set(Object.keys(fields).map((path) => path.replace(/\..*/, '')))],
	]),
);

/** A record of a kind as it is sent, from values under the service's names, times in epoch ms. */
function print(kind: KindName, values: Json, { settings: { printZone } }: Rendering): Json {
	const fields: RecordFields = kinds[kind].fields;
	const printValue = (path: string, value: unknown): unknown => {
		if (typeof value === 'number')
			return fields[path]?.type === 'time' ? printDate(value, printZone) : value;
		if (Array.isArray(value)) return value.map((each) => printValue(path, each));
		if (!isObject(value)) return value ?? null;
		const inner = Object.entries(value);
		return Object.fromEntries(
			inner.map(([name, each]) => [name, printValue(`${path}.${name}`, each)]),
		);
	};
	return Object.fromEntries(
		(NAMES[kind] ?? []).map((name) => [name, printValue(name, values[name])]),
	);
}

/** The values of an engagement in the list. */
export function engagementValues(engagement: Engagement): Json {
	const { id, connectorId, owner, contact } = engagement;
	return {
		...engagement,
		Id: id,
		Owner: owner,
		Sme: { name: contact && fullName(contact) },
		connectorId: connectorId === null ? null : Number(connectorId),
	};
}

export function engagementRecord(rendering: Rendering, engagement: Engagement): Json {
	return print('engagement', engagementValues(engagement), rendering);
}

/** A new engagement, in its flat form: the contact, if any, takes the place of the owner. */
export function createdEngagementRecord(rendering: Rendering, engagement: Engagement): Json {
	const values = engagementValues(engagement);
	const own = { ...engagement.contact, Id: String(engagement.id), externalSmeId: 'AUDIT' };
	return print('createdEngagement', { ...values, ...own }, rendering);
}

/** The values of an upload in either list, and of its workflow. */
export function uploadValues({ model }: Rendering, upload: Upload): Json {
	const engagement = model.engagements.existing(upload.engagementId);
	const { id, name, contact, active, externalEngagementId, usePassthrough } = engagement;
	return {
		...upload,
		clientId: CLIENT_ID,
		resellerId: RESELLER_ID,
		uploadStatus: upload.status,
		externalEngagementId,
		engagementName: name,
		contactId: contact && String(70_000 + id),
		creationDate: upload.createdAt,
		completionDate: upload.completedAt,
		connector: upload.connectorName,
		connectorVersion: model.findConnector(upload.connectorName)?.version,
		active,
		smeId: contact && 50_000 + id,
		smeName: contact && fullName(contact),
		withMemo: false,
		usePassthrough,
		created: upload.createdAt,
		started: upload.startedAt,
	};
}

export function uploadRecord(
	rendering: Rendering,
	upload: Upload,
	kind: 'upload' | 'lastUpload' = 'upload',
): Json {
	return print(kind, uploadValues(rendering, upload), rendering);
}

/** An upload's workflow with its steps. */
export function workflowRecord(rendering: Rendering, upload: Upload): Json {
	const own = { userId: rendering.model.users[0]?.id ?? 1, steps: listSteps(upload) };
	return print('workflow', { ...uploadValues(rendering, upload), ...own }, rendering);
}
