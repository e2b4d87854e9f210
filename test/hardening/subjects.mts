import type { IDataObject } from 'n8n-workflow';

import type { Match } from '../support/service/faults.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';

/** How a subject calls the service; `trigger` polls. */
export type Kind = 'record' | 'list' | 'write' | 'wait' | 'trigger';

/** Which of its requests fails. A wait checks before and after its refresh. */
export type Place = 'only' | 'first' | 'middle' | 'last' | 'before' | 'refresh' | 'look';

/** What is tested: an operation or the trigger. */
export interface Subject {
	name: string;
	kind: Kind;
	parameters: IDataObject;
	/** The path of the requests that fail. */
	path: RegExp;
	method: 'GET' | 'POST';
}

const engagementId = 1001;
const connectorName = 'cloudbooks';
const IDS = [1001, 1002, 1003, 1004, 1005, 1006];
const PAGE_SIZE = 2;

function subject(
	resource: string,
	operation: string,
	kind: Kind,
	path: RegExp,
	over: IDataObject = {},
	name = `${resource}.${operation}`,
): Subject {
	const method = kind === 'write' ? 'POST' : 'GET';
	const paging = kind === 'list' && operation === 'getAll' ? { returnAll: true } : {};
	const parameters = { resource, operation, ...paging, ...over };
	return { name, kind, method, path, parameters };
}

/** Every operation, with both sources of uploads and the wait, and the trigger. */
export const subjects: readonly Subject[] = [
	subject('company', 'get', 'record', /companyDetails$/, { engagementId }),
	subject('connector', 'getAll', 'list', /\/connectors$/),
	subject('dataRefresh', 'run', 'write', /\/refresh$/, { engagementId, connectorName }),
	subject(
		'dataRefresh',
		'run',
		'wait',
		/\/(lastUploads|refresh)$/,
		{
			engagementId,
			connectorName,
			waitForCompletion: true,
			options: { waitInterval: 0.05, waitTimeout: 0.02 },
		},
		'dataRefresh.run, waiting',
	),
	subject('dataRefresh', 'schedule', 'write', /\/schedule$/, {
		engagementId,
		scheduleFrequency: '2',
		scheduleStartDate: '2026-12-01',
	}),
	subject('engagement', 'create', 'write', /\/engagements$/, { name: 'Dunmore Mills' }),
	subject('engagement', 'getAll', 'list', /\/engagements$/),
	subject('period', 'getAll', 'list', /\/periods\/$/, { engagementId }),
	subject('upload', 'getAll', 'list', /\/uploads$/),
	subject(
		'upload',
		'getAll',
		'list',
		/\/uploads$/,
		{ source: 'connector', engagementId, connectorName },
		'upload.getAll of a connector',
	),
	subject('upload', 'getLast', 'list', /\/lastUploads$/, { engagementIds: IDS.join() }),
	subject('upload', 'getWorkflow', 'record', /\/workflows\//, { engagementId }),
	subject('upload', 'start', 'write', /\/upload$/, { engagementId, connectorName }),
	subject('user', 'getAll', 'list', /\/users$/),
	{
		name: 'trigger',
		kind: 'trigger',
		method: 'GET',
		path: /\/uploads$/,
		parameters: { startFrom: 'beginning', options: { pageSize: PAGE_SIZE } },
	},
];

const PLACES: Record<Kind, readonly Place[]> = {
	record: ['only'],
	list: ['first', 'middle', 'last'],
	write: ['only'],
	wait: ['before', 'refresh', 'look'],
	trigger: ['first', 'middle', 'last'],
};

export const placesOf = ({ kind }: Subject): readonly Place[] => PLACES[kind];

/** The method of the request that fails. */
export function methodAt({ method }: Subject, place: Place): 'GET' | 'POST' {
	return place === 'refresh' ? 'POST' : method;
}

/** Which requests fail, and how many pass before them. */
export function matchAt({ path }: Subject, place: Place): { match: Match; skip: number } {
	if (place === 'refresh') return { match: { path: /\/refresh$/ }, skip: 0 };
	if (place === 'before' || place === 'look')
		return { match: { path: /\/lastUploads$/ }, skip: place === 'look' ? 1 : 0 };
	const page = { middle: '1', last: '2' }[String(place)];
	return { match: { path, ...(page !== undefined && { query: { page } }) }, skip: 0 };
}

/**
 * A service for one cell: every list has six records on three pages, and an upload completes at
 * once.
 */
export async function worldOf({ parameters }: Subject): Promise<SimulatedService> {
	const service = await startService({
		settings: { maxPageSize: PAGE_SIZE, pageFieldsOnUnpaged: true, uploadDurationMs: 0 },
	});
	const { model } = service;
	model.addConnector({ name: connectorName });
	for (const id of IDS.slice(1)) model.addConnector({ name: `connector-${id}` });
	for (const id of IDS) {
		model.addUser();
		model.addEngagement({ id });
	}
	const minute = 60_000;
	const begun = model.now - 60 * minute;
	IDS.forEach((id, index) =>
		model.addCompletedUpload({
			engagementId: parameters.source === 'connector' ? engagementId : id,
			connectorName,
			completedAt: begun + index * minute,
		}),
	);
	const [first] = model.uploads.all;
	model.periods.set(
		engagementId,
		IDS.map((id, index) => ({
			uploadId: first?.uploadId ?? '',
			yearId: '2026',
			periodId: String(id),
			name: `Period ${index + 1}`,
			startDate: `2026-0${index + 1}-01`,
			endDate: `2026-0${index + 1}-28`,
			periodNo: index + 1,
		})),
	);
	return service;
}

/** The parameters for a service, since the upload of a workflow has a different ID in each. */
export function parametersFor({ parameters }: Subject, service: SimulatedService): IDataObject {
	if (parameters.operation !== 'getWorkflow') return parameters;
	return { ...parameters, uploadId: service.model.uploads.all[0]?.uploadId };
}
