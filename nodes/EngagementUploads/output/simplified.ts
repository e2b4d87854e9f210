/**
 * Simplified records: flat, small, with every field present and the engagement called
 * `engagementId`. Their fields are part of each kind of record (api/records.ts).
 */
import type { IDataObject } from 'n8n-workflow';
import { kinds, type KindName } from '../api/records';
import { stepsOf, type RecordSource } from '../api/shape';
import { toIsoTime } from '../values/dates';
import { isObject } from '../values/objects';
import { isAbsent } from '../values/text';

/** The simplified form of a record. */
export function simplify(record: IDataObject, kind: KindName, source: RecordSource): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const [name, read] of Object.entries(kinds[kind].simplified))
		simple[name] = flat(read(record, source) ?? null);
	return simple as IDataObject;
}

/** The steps of a workflow as separate items, with dates as ISO 8601. */
export function splitSteps(record: IDataObject, zone: string): IDataObject[] {
	return stepsOf(record).map((step) => {
		const dates = ['created', 'started', 'lastUpdate'].filter((name) => name in step);
		const iso = dates.map((name) => [name, toIsoTime(step[name], zone)]);
		return { ...step, ...Object.fromEntries(iso) } as IDataObject;
	});
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
