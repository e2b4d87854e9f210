/**
 * Simplified records: flat, small, with every field present and the engagement called
 * `engagementId`.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject, valueAt } from '../values/objects';
import { toCalendarDay, toIsoTime } from '../values/dates';
import { isAbsent } from '../values/text';

/** What is needed to simplify a record, besides the record itself. */
export interface RecordSource {
	/** IANA zone of times without an offset */
	zone: string;
	/** the requested engagement, if the record does not name it */
	engagementId?: number;
}

type Field = (record: IDataObject, source: RecordSource) => unknown;
type Shape = Record<string, Field>;

/** The first of these fields that has a value; names with dots refer to nested fields. */
const from =
	(...names: string[]): Field =>
	(record) => {
		for (const name of names) {
			const value = valueAt(record, name);
			if (value !== undefined && value !== null) return value;
		}
		return null;
	};
const time = (...names: string[]): Field => {
	const read = from(...names);
	return (record, source) => toIsoTime(read(record, source), source.zone);
};
const day = (name: string): Field => {
	const read = from(name);
	return (record, source) => toCalendarDay(read(record, source), source.zone);
};
const anyId = from('engagementId', 'Id', 'id');
const id: Field = (record, source) => {
	const value = anyId(record, source) ?? source.engagementId ?? null;
	return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
};
const requestedEngagement: Field = (record, source) =>
	from('engagementId')(record, source) ?? source.engagementId ?? null;
const copied = (...names: string[]): Shape =>
	Object.fromEntries(names.map((name) => [name, from(name)]));

const company: Shape = {
	engagementId: requestedEngagement,
	...copied(
		'name',
		'registrationNumber',
		'salesTaxNumber',
		'townCity',
		'stateCounty',
		'postZipcode',
		'countryCode',
		'email1',
		'currencyIso',
	),
};

const connector: Shape = {
	...copied('id', 'name', 'title', 'description'),
	type: (record) => connectorType(record),
	isRefreshable: from('isRefreshable'),
	scopes: from('scopes'),
};

const period: Shape = {
	engagementId: requestedEngagement,
	...copied('uploadId', 'yearId', 'periodId', 'name'),
	startDate: day('startDate'),
	endDate: day('endDate'),
	periodNo: from('periodNo'),
};

const engagement: Shape = {
	engagementId: id,
	...copied('externalEngagementId', 'name', 'status', 'type', 'connectorId'),
	smeName: from('Sme.name', 'sme.name', 'SME.name', 'smeName'),
	ownerEmail: from('Owner.email', 'owner.email', 'email'),
	dataRefreshEnabled: from('dataRefreshEnabled'),
	createdAt: time('createdAt'),
};

const upload: Shape = {
	uploadId: from('uploadId'),
	uploadStatus: from('uploadStatus', 'status'),
	uploadType: from('uploadType'),
	engagementId: id,
	...copied('externalEngagementId', 'engagementName', 'connectorName', 'smeName'),
	creationDate: time('creationDate'),
	completionDate: time('completionDate'),
};

const lastUpload: Shape = {
	uploadId: from('uploadId'),
	uploadStatus: from('uploadStatus', 'status'),
	uploadType: from('uploadType'),
	engagementId: id,
	...copied('smeName', 'connectorName', 'connectorVersion'),
	creationDate: time('creationDate'),
	completionDate: time('completionDate'),
	active: from('active'),
};

const workflow: Shape = {
	uploadId: from('uploadId'),
	engagementId: requestedEngagement,
	connectorName: from('connectorName', 'connector'),
	status: from('status'),
	created: time('created'),
	started: time('started'),
	lastUpdate: time('lastUpdate'),
	stepCount: (record) => stepsOf(record).length,
	currentStep: (record) => currentStep(record)?.name ?? null,
	currentStepStatus: (record) => currentStep(record)?.status ?? null,
};

const user: Shape = {
	...copied('id', 'firstName', 'lastName', 'email', 'phone', 'title', 'statusCode', 'userType'),
	roles: from('profiles.name', 'profiles'),
	lastLoginDate: time('lastLoginDate'),
};

export const shapes = {
	company,
	connector,
	period,
	engagement,
	upload,
	lastUpload,
	workflow,
	user,
};

export type ShapeName = keyof typeof shapes;

const readers = Object.fromEntries(
	Object.entries(shapes).map(([name, shape]) => [name, Object.entries(shape)]),
) as Record<ShapeName, Array<[string, Field]>>;

/** The simplified form of a record. */
export function simplify(record: IDataObject, shape: ShapeName, source: RecordSource): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const [name, read] of readers[shape]) simple[name] = flat(read(record, source) ?? null);
	return simple as IDataObject;
}

/** `0` is online, `1` offline (docs/service.md#connector-record); unknown codes are kept. */
export function connectorType({ type = null }: IDataObject): unknown {
	if (type === '0' || type === 0) return 'online';
	return type === '1' || type === 1 ? 'offline' : type;
}

/** The steps of a workflow, in the order of the process. */
export function stepsOf({ steps }: IDataObject): IDataObject[] {
	const records = Array.isArray(steps) ? steps.filter(isObject) : isObject(steps) ? [steps] : [];
	return [...records].sort((a, b) => sortingOf(a) - sortingOf(b));
}

/** The steps of a workflow as separate items, with dates as ISO 8601. */
export function splitSteps(record: IDataObject, zone: string): IDataObject[] {
	return stepsOf(record).map((step) => {
		const dates = ['created', 'started', 'lastUpdate'].filter((name) => name in step);
		const iso = dates.map((name) => [name, toIsoTime(step[name], zone)]);
		return { ...step, ...Object.fromEntries(iso) } as IDataObject;
	});
}

function sortingOf({ sorting }: IDataObject): number {
	return typeof sorting === 'object' ? 0 : Number(sorting) || 0;
}

/** The step started last, by its position in the process. */
function currentStep(record: IDataObject): IDataObject | undefined {
	return stepsOf(record).findLast(({ started }) => !isAbsent(started));
}

/**
 * Lists become the names of their entries, other objects JSON, so that a value fits into a cell.
 */
function flat(value: unknown): unknown {
	if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : value;
	const names = value.map((entry: unknown) => (isObject(entry) ? entry.name : entry));
	return names
		.filter((name) => !isAbsent(name))
		.map(flat)
		.join(', ');
}
