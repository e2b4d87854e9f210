/** How the fields of simplified records are read from the service's records. */
import type { IDataObject } from 'n8n-workflow';
import { isObject, valueAt } from '../values/objects';
import { toCalendarDay, toIsoTime } from '../values/dates';
import { readBoolean } from '../values/scalars';
import { isAbsent } from '../values/text';

/** What is needed to simplify a record, besides the record itself. */
export interface RecordSource {
	/** IANA zone of times without an offset */
	zone: string;
	/** the requested engagement, for records that do not name theirs */
	engagementId?: number;
}

export type Field = (record: IDataObject, source: RecordSource) => unknown;
/** The fields of a simplified record, in order, and how each is read. */
export type Shape = Record<string, Field>;

/** The first of these fields that has a value; a dot in a name leads to a nested field. */
export const from =
	(...names: string[]): Field =>
	(record) => {
		for (const name of names) {
			const value = valueAt(record, name);
			if (value !== undefined && value !== null) return value;
		}
		return null;
	};

/** A time, as ISO 8601. */
export const time =
	(name: string): Field =>
	(record, { zone }) =>
		toIsoTime(record[name], zone);

/** A calendar day. */
export const day =
	(name: string): Field =>
	(record, { zone }) =>
		toCalendarDay(record[name], zone);

/** A boolean, in any spelling of the service; other values are returned unchanged. */
export const boolean =
	(name: string): Field =>
	(record) =>
		readBoolean(record[name]) ?? record[name];

/** The ID of an engagement: of the one that was requested, if the record names none. */
const engagementIdFrom =
	(...names: string[]): Field =>
	(record, source) => {
		const value = from(...names)(record, source) ?? source.engagementId ?? null;
		return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	};

/** In an engagement's own record. */
export const engagementId = engagementIdFrom('engagementId', 'Id', 'id');
/** In any other record, such as an upload, whose `id` is its own. */
export const requestedEngagementId = engagementIdFrom('engagementId');

/** Fields that keep their names. */
export const copied = (...names: string[]): Shape =>
	Object.fromEntries(names.map((name) => [name, from(name)]));

/** The ID in an engagement's own record. */
export const readEngagementId = (record: IDataObject): unknown =>
	engagementId(record, { zone: 'UTC' });

/** `0` is online, `1` offline (docs/service.md#connector-record); other codes are kept. */
export function connectorType({ type = null }: IDataObject): unknown {
	if (type === '0' || type === 0) return 'online';
	return type === '1' || type === 1 ? 'offline' : type;
}

/** The steps of a workflow, in the order of the process. */
export function listSteps({ steps }: IDataObject): IDataObject[] {
	const records = Array.isArray(steps) ? steps.filter(isObject) : isObject(steps) ? [steps] : [];
	const place = ({ sorting }: IDataObject) => Number(sorting) || 0;
	return records.toSorted((one, other) => place(one) - place(other));
}

/** A step with its times as ISO 8601. */
export function printStep(step: IDataObject, zone: string): IDataObject {
	const names = ['created', 'started', 'lastUpdate'].filter((name) => name in step);
	const times = names.map((name) => [name, toIsoTime(step[name], zone)]);
	return { ...step, ...Object.fromEntries(times) } as IDataObject;
}

/** The last step in the process that has been started. */
export function currentStep(record: IDataObject): IDataObject | undefined {
	return listSteps(record).findLast(({ started }) => !isAbsent(started));
}
