/** Simplified records: flat, small, every field always there, the engagement named `engagementId`. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../transport/answers';
import { toIsoTime } from '../values/dates';

/** What a simplified record takes from beside the record itself. */
export interface RecordSource {
	/** IANA zone of times without an offset */
	zone: string;
	/** the engagement that was asked about, where the record does not carry it */
	engagementId?: number;
}

type Field = (record: IDataObject, source: RecordSource) => unknown;
type Shape = Record<string, Field>;

/** The first of some fields that is there; a dot leads into nested objects. */
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
const anyId = from('engagementId', 'Id', 'id');
const id: Field = (record, source) => {
	const value = anyId(record, source) ?? source.engagementId ?? null;
	return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
};
const askedEngagement: Field = (record, source) =>
	from('engagementId')(record, source) ?? source.engagementId ?? null;
const ownFields = (...names: string[]): Shape =>
	Object.fromEntries(names.map((name) => [name, from(name)]));

const company: Shape = {
	engagementId: askedEngagement,
	...ownFields(
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
	...ownFields('id', 'name', 'title', 'description'),
	type: (record) => connectorType(record),
	isRefreshable: from('isRefreshable'),
	scopes: from('scopes'),
};

const period: Shape = {
	engagementId: askedEngagement,
	...ownFields('uploadId', 'yearId', 'periodId', 'name'),
	startDate: time('startDate'),
	endDate: time('endDate'),
	periodNo: from('periodNo'),
};

const engagement: Shape = {
	engagementId: id,
	...ownFields('externalEngagementId', 'name', 'status', 'type', 'connectorId'),
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
	...ownFields('externalEngagementId', 'engagementName', 'connectorName', 'smeName'),
	creationDate: time('creationDate'),
	completionDate: time('completionDate'),
};

const lastUpload: Shape = {
	uploadId: from('uploadId'),
	status: from('status', 'uploadStatus'),
	uploadType: from('uploadType'),
	engagementId: id,
	...ownFields('smeName', 'connectorName', 'connectorVersion'),
	creationDate: time('creationDate'),
	completionDate: time('completionDate'),
	active: from('active'),
};

const workflow: Shape = {
	uploadId: from('uploadId'),
	engagementId: askedEngagement,
	...ownFields('connector', 'status'),
	created: time('created'),
	started: time('started'),
	lastUpdate: time('lastUpdate'),
	stepCount: (record) => stepsOf(record).length,
	currentStep: (record) => currentStep(record)?.name ?? null,
	currentStepStatus: (record) => currentStep(record)?.status ?? null,
};

const user: Shape = {
	...ownFields('id', 'firstName', 'lastName', 'email', 'phone', 'title', 'statusCode', 'userType'),
	roles: (record) =>
		Array.isArray(record.profiles) ? record.profiles : valueAt(record, 'profiles.name'),
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

/** Makes a simplified record of one that the service sent. */
export function simplified(
	record: IDataObject,
	shape: ShapeName,
	source: RecordSource,
): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const [name, read] of readers[shape]) simple[name] = flat(read(record, source) ?? null);
	return simple as IDataObject;
}

/**
 * The value of a field; a dotted name leads into nested objects, and through lists to a list of
 * values. A field whose own name holds the dot counts first.
 */
export function valueAt(value: unknown, name: string): unknown {
	if (Array.isArray(value)) {
		const values = value
			.map((entry) => valueAt(entry, name))
			.filter((entry) => entry !== undefined);
		return values.length > 0 ? values : undefined;
	}
	if (!isObject(value)) return undefined;
	if (Object.hasOwn(value, name)) return value[name];
	const dot = name.indexOf('.');
	if (dot < 0) return undefined;
	const outer = name.slice(0, dot);
	return Object.hasOwn(value, outer) ? valueAt(value[outer], name.slice(dot + 1)) : undefined;
}

/** `0` is online, `1` offline (interface section 2); an unknown code stays as it is. */
export function connectorType({ type = null }: IDataObject): unknown {
	if (type === '0' || type === 0) return 'online';
	return type === '1' || type === 1 ? 'offline' : type;
}

/** The steps of a workflow in the order of the process. */
export function stepsOf({ steps }: IDataObject): IDataObject[] {
	const records = Array.isArray(steps) ? steps.filter(isObject) : isObject(steps) ? [steps] : [];
	return [...records].sort((a, b) => sortingOf(a) - sortingOf(b));
}

function sortingOf({ sorting }: IDataObject): number {
	return typeof sorting === 'object' ? 0 : Number(sorting) || 0;
}

/** The step last started, by its place in the process. */
function currentStep(record: IDataObject): IDataObject | undefined {
	return stepsOf(record).findLast(
		({ started }) => started !== null && started !== undefined && started !== '',
	);
}

/** Lists as the names of what they hold, other objects as JSON, so that a value fits into a cell. */
function flat(value: unknown): unknown {
	if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : value;
	const names = value.map((entry: unknown) => (isObject(entry) ? entry.name : entry));
	return names
		.filter((name) => name !== null && name !== undefined)
		.map(flat)
		.join(', ');
}
