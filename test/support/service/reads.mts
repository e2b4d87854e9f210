import { kinds } from '../../../nodes/EngagementUploads/service/records.ts';
import { findEngagements, findUploads } from './listing.mts';
import { paged, unpaged } from './pages.mts';
import { makeCompany, monthlyPeriods, type Upload } from './records.mts';
import { refuse, Refusal } from './refusal.mts';
import { engagementRecord, uploadRecord, workflowRecord } from './render.mts';
import type { Call } from './routes.mts';
import { readBound, readIntegers, readOrder, readUuid } from './validate.mts';

/** Maximum number of IDs in one request for last uploads, and in one external ID filter. */
const [MAX_IDS, MAX_EXTERNAL_IDS] = [100, 50];

/** What `orderBy` may name: all documented fields. */
const [ENGAGEMENT_FIELDS, UPLOAD_FIELDS] = [kinds.engagement, kinds.upload].map(({ fields }) =>
	Object.keys(fields),
) as [string[], string[]];

const isCompleted = ({ completedAt }: Upload) => completedAt !== null;

/** docs/service.md#engagements */
export function listEngagements(call: Call): unknown {
	const { service, query } = call;
	const ids = query.externalEngagementId?.split(',');
	if (ids && ids.length > MAX_EXTERNAL_IDS) refuse('Too many values in externalEngagementId');
	const orderBy = readOrder(query, ENGAGEMENT_FIELDS, service.settings);
	const isIgnored = service.settings.ignoredFilters.includes('externalEngagementId');
	const list = findEngagements(service, isIgnored ? undefined : ids, orderBy);
	return paged(call, list, (row) => engagementRecord(service, row));
}

/** docs/service.md#uploads, both paths */
export function listUploads(call: Call, connectorName?: string): unknown {
	const { service, query } = call;
	const { settings } = service;
	const isHonoured = (name: string) => !settings.ignoredFilters.includes(name);
	const bound = (name: string, side: 'from' | 'to') => {
		const time = readBound(query, name, side, settings);
		return isHonoured(name) ? time : undefined;
	};
	const range = (name: string) => ({
		from: bound(`${name}From`, 'from'),
		to: bound(`${name}To`, 'to'),
	});
	const uploadId = query.uploadId === undefined ? undefined : readUuid(query.uploadId, 'uploadId');
	const asked =
		query.engagementId === undefined ? undefined : readIntegers(query.engagementId, 'engagementId');
	const filtered = isHonoured('engagementId') ? asked : undefined;
	const own = connectorName === undefined ? undefined : call.engagement().id;
	const engagementIds =
		own === undefined ? filtered : [own].filter((id) => filtered?.includes(id) ?? true);
	const orderBy = readOrder(query, UPLOAD_FIELDS, settings);
	const list = findUploads(service, {
		engagementIds,
		connectorName,
		uploadId: isHonoured('uploadId') ? uploadId : undefined,
		created: range('createdDate'),
		completed: range('completedDate'),
		orderBy,
	});
	return paged(call, list, (row) => uploadRecord(service, row));
}

/** docs/service.md#company: exported with the first upload. */
export function getCompany({ service: { model }, engagement }: Call): unknown {
	if (model.lastUpload(engagement().id, isCompleted)) return makeCompany(engagement());
	throw new Refusal(404, 'No company details');
}

/** docs/service.md#periods: months, for the last completed upload. */
export function listPeriods({ service: { model }, engagement }: Call): unknown {
	const upload = model.lastUpload(engagement().id, isCompleted);
	return unpaged(upload === undefined ? [] : monthlyPeriods(upload));
}

/** docs/service.md#users */
export function listUsers({ service }: Call): unknown {
	return unpaged(service.model.users);
}

/** docs/service.md#connectors */
export function listConnectors({ service }: Call): unknown {
	return unpaged(service.model.connectors.map(({ version: _, ...connector }) => connector));
}

/** docs/service.md#last-uploads */
export function lastUploads(call: Call): unknown {
	const { service, query } = call;
	if (query.engagementIds === undefined) refuse('engagementIds is required');
	const ids = readIntegers(query.engagementIds, 'engagementIds');
	if (ids.length > MAX_IDS) refuse(`At most ${MAX_IDS} engagement ids in one request`);
	const list = [...new Set(ids)]
		.map((id) => service.model.lastUpload(id))
		.filter((upload) => upload !== undefined);
	return paged(call, list, (row) => uploadRecord(service, row, 'lastUpload'));
}

/** docs/service.md#workflow */
export function getWorkflow({ service, params, engagement }: Call): unknown {
	const uploadId = readUuid(params.uploadId ?? '', 'uploadId');
	const upload = service.model.uploads.get(uploadId);
	if (upload?.engagementId !== engagement().id) {
		throw new Refusal(404, `Upload ${uploadId} not found`);
	}
	return workflowRecord(service, upload);
}
