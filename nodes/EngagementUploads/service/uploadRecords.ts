/**
 * The records of uploads, and the answers that start one, as the service documents them: docs/service.md#records is
 * generated from here. What the statuses of uploads mean is in uploadStatus.ts.
 */
import type { IDataObject } from 'n8n-workflow';
import { computed, identifiers, kind, same, sent, type RecordOf } from './kind';
import { toIsoTime } from '../values/dates';
import { isObject } from '../values/objects';
import { isAbsent, toText } from '../values/text';
import { isFailedStatus, saysCompleted } from './uploadStatus';

const { clientId, engagementId, externalEngagementId, uploadId, connectorName } = identifiers;

/** What both forms of an upload have. */
const anyUpload = {
	uploadId,
	clientId,
	engagementId,
	contactId: sent.text('The contact who made the upload'),
	creationDate: sent.time('When the upload was started'),
	completionDate: sent.time('When the upload was completed'),
	connectorName,
	connectorVersion: sent.text('Version of the accounting package'),
	active: sent.flag('Whether the engagement is enabled'),
	uploadType: sent.text('Type of upload'),
	smeId: sent.number('The SME that completed the upload'),
	smeName: sent.text('Name of the SME that completed the upload'),
};

/** Either form: the last upload of an engagement calls its status `status`. */
export type Upload = RecordOf<typeof upload.fields & typeof lastUpload.fields>;
export const upload = kind({
	id: ['uploadId'],
	fields: {
		...anyUpload,
		uploadStatus: sent.text('Status of the upload; see [Uploads](#uploads)'),
		externalEngagementId,
		engagementName: sent.text('Name of the engagement'),
	},
	simplified: {
		uploadId: ['uploadId'],
		uploadStatus: ['uploadStatus', 'status'],
		...same('uploadType', 'engagementId', 'externalEngagementId', 'engagementName'),
		...same('connectorName', 'smeName', 'creationDate', 'completionDate'),
	},
	always: ['uploadId'],
});

/** The service may send several for one engagement, in any order. */
export const lastUpload = kind({
	id: ['uploadId'],
	fields: {
		...anyUpload,
		status: sent.text('Status of the upload; see [Uploads](#uploads)'),
		resellerId: sent.uuid('The reseller'),
		withMemo: sent.flag('Whether there is a memo; false by default'),
		memo: sent.text('Memo; null by default'),
		content: sent.text('Content; null by default'),
	},
	simplified: {
		uploadId: ['uploadId'],
		uploadStatus: ['uploadStatus', 'status'],
		...same('uploadType', 'engagementId', 'smeName', 'connectorName', 'connectorVersion'),
		...same('creationDate', 'completionDate', 'active'),
	},
	always: ['uploadId', 'engagementId'],
});

/** The processing steps of an upload. */
export const workflow = kind({
	id: ['uploadId'],
	fields: {
		uploadId,
		clientId,
		engagementId,
		connector: sent.text('Connector of the upload'),
		status: sent.text('Status of the upload; see [Uploads](#uploads)'),
		created: sent.time('When the upload was created'),
		started: sent.time('When the upload was started'),
		lastUpdate: sent.time('When the upload last made progress'),
		smeId: sent.number('The SME that completed the upload'),
		userId: sent.number('The user who started the upload'),
		usePassthrough: sent.flag('Whether this is a passthrough upload'),
		'steps.stepId': sent.number('ID of the step'),
		'steps.name': sent.text('Name of the step'),
		'steps.status': sent.text('Status of the step'),
		'steps.created': sent.time('When the step was created'),
		'steps.started': sent.time('When the step was started'),
		'steps.lastUpdate': sent.time('When the step last made progress'),
		'steps.sorting': sent.number('Place of the step in their order'),
	},
	simplified: {
		...same('uploadId', 'engagementId'),
		connectorName: ['connectorName', 'connector'],
		...same('status', 'created', 'started', 'lastUpdate'),
		stepCount: computed('Number of steps', (record) => listSteps(record).length),
		currentStep: computed('Name of the current step', (record) => currentStep(record)?.name),
		currentStepStatus: computed(
			'Status of the current step',
			(record) => currentStep(record)?.status,
		),
	},
	always: ['uploadId'],
});

/** The steps of a workflow, in the order of the process. */
export function listSteps({ steps }: IDataObject): IDataObject[] {
	const records = Array.isArray(steps) ? steps.filter(isObject) : [];
	const place = ({ sorting }: IDataObject) => Number(sorting) || 0;
	return records.toSorted((one, other) => place(one) - place(other));
}

/** A step with its times as ISO 8601. */
export function printStep(step: IDataObject, zone: string): IDataObject {
	const names = ['created', 'started', 'lastUpdate'].filter((name) => name in step);
	const times = names.map((name) => [name, toIsoTime(step[name], zone)]);
	return { ...step, ...Object.fromEntries(times) } as IDataObject;
}

/** The first step that has failed, or else the first that has not completed; the last one if all have. */
export function currentStep(record: IDataObject): IDataObject | undefined {
	const steps = listSteps(record);
	const failed = steps.find(({ status }) => isFailedStatus(toText(status ?? '')));
	return failed ?? steps.find(({ status }) => !saysCompleted(toText(status ?? ''))) ?? steps.at(-1);
}

/** The response to the start of an upload: where to send the customer. */
export const uploadStart = kind({
	id: [],
	recognisedBy: {
		expected: 'redirectUrl or …ClientUrl',
		isIn: (record) => customerUrl(record) !== undefined,
	},
	fields: {
		type: sent.text('`REDIRECT` for online connectors, `DOWNLOAD` for offline ones'),
		redirectUrl: sent.text('With `REDIRECT`: page where the customer authorises access'),
	},
	simplified: {},
	always: [],
});

/** The address to send the customer to. The documentation does not name that of a download; it ends in `ClientUrl`. */
export function customerUrl(response: IDataObject): string | undefined {
	const isDownload = toText(response.type ?? '').toUpperCase() === 'DOWNLOAD';
	const download = Object.keys(response).find((name) => name.endsWith('ClientUrl'));
	const url = isDownload && download !== undefined ? response[download] : response.redirectUrl;
	return typeof url === 'string' && !isAbsent(url) ? url : undefined;
}

/** The response to a refresh or a schedule. */
export const refreshResult = kind({
	id: [],
	recognisedBy: {
		expected: 'action or url',
		isIn: (record) => Object.hasOwn(record, 'action') || Object.hasOwn(record, 'url'),
	},
	mayBeEmpty: true,
	fields: {
		action: sent.text(
			'On success `No Action Required` for a refresh, `NO_ACTION_REQUIRED` for a schedule',
		),
		url: sent.text('Where the customer must act; null on success, or the text `"null"`'),
	},
	simplified: {},
	always: [],
});

/** The response to a refresh or a schedule, and whether somebody must first act. */
export function refreshOutput(response: IDataObject, target: IDataObject) {
	const url = isAbsent(response.url) ? null : response.url;
	const { action } = response;
	const isDone = isAbsent(action) || /^no[\s_]*action/i.test(toText(action).trim());
	return { ...response, url, ...target, actionRequired: url !== null || !isDone };
}
