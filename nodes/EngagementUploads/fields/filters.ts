/** Filters of lists. All are applied to the records that come; those that the service has are sent as well. */
import type { IDataObject } from 'n8n-workflow';
import { parsePlausibleTime } from '../values/dates';
import { parseExternalIds, parseIds, toUuid } from '../values/ids';
import { parseList } from '../values/objects';
import { foldCase, normalizeText, toText } from '../values/text';
import { choices, field, filterCollection, flag, text } from './field';

/** Connectors by name. */
export const connectorNames = field(
	{
		displayName: 'Connector Names or IDs',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getConnectorNames' },
		default: [],
		description:
			'Only uploads through these connectors. IDs are connector names, such as cloudbooks. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	(value, label) => parseList(value, label),
);

const engagementIdsOf = (records: string) =>
	text(
		'Engagement IDs',
		`Only ${records}. Separate IDs with commas.`,
		(value, label) => parseIds(value, label)?.map(String),
		{ placeholder: 'e.g. 1001, 1002' },
	);

export const engagementIds = engagementIdsOf('uploads of these engagements');

/** A filter of engagements, or of what belongs to them. */
const byExternalId = (records: string) =>
	text(
		'External Engagement IDs',
		`Only ${records} with these external IDs (your own IDs). Separate IDs with commas.`,
		parseExternalIds,
		{ placeholder: 'e.g. CUSTOMER-42, CUSTOMER-43' },
	);

export const externalEngagementIds = byExternalId('uploads of engagements');

/** The filters of engagement lists. */
export const engagementFilters = filterCollection({
	engagementIds: engagementIdsOf('engagements with these IDs'),
	externalEngagementIds: byExternalId('engagements'),
	refreshable: flag(
		'Refreshable',
		'Whether to return only engagements with data refresh enabled. Turn off to return only the others.',
		{ default: true },
	),
	relationshipManagers: text(
		'Relationship Managers',
		'Only engagements of these people. Enter names as the service shows them, separated by commas.',
		(value, label) => parseList(value, label),
		{ placeholder: 'e.g. Robin Field, Ada Lund' },
	),
});

/** How uploads ended, if they have, as in the data status of engagements. */
export const outcomes = choices(
	'Outcomes',
	'Only uploads with one of these outcomes. Completed From excludes most failed and unfinished uploads; use Created From.',
	{
		completed: ['Completed', 'The data is there, perhaps with warnings'],
		failed: ['Failed', 'The upload failed or was cancelled'],
		unfinished: ['Unfinished', 'The upload is in progress or stuck'],
	},
);

/** Statuses seen in practice (docs/service.md#uploads); there may be others. */
const STATUSES = ['ABORTED', 'COMPLETED', 'FAILED', 'LOADING', 'PROCESSING'];

export const uploadStatuses = field(
	{
		displayName: 'Upload Statuses',
		type: 'multiOptions',
		options: STATUSES.map((status) => ({ name: status, value: status })),
		default: [],
		description:
			'Only uploads with one of these statuses, as the service names them. Use an expression for a status that is not listed.',
	},
	(value, label) => parseList(value, label),
);

type Accepts = (value: unknown) => boolean;
/** For each field of a record, the accepted values, or a function that tests a value; undefined accepts every value. */
type Accepted = Record<string, readonly string[] | Accepts | undefined>;

/** A value for comparisons: an external ID as it is, all others without case. */
const toComparable = (name: string, value: unknown): string =>
	name === 'externalEngagementId' ? normalizeText(toText(value ?? '')) : toUuid(foldCase(value));

/**
 * Tells whether a record has an accepted value in each field. `read` returns the values to compare, some of which are computed.
 * Undefined if every value is accepted.
 */
export function fieldMatcher<T extends IDataObject>(
	accepted: Accepted,
	read: (record: T) => Record<string, unknown> = (record) => record,
): ((record: T) => boolean) | undefined {
	const rules = Object.entries(accepted).flatMap(([name, values]) =>
		values === undefined
			? []
			: [{ name, accepts: typeof values === 'function' ? values : oneOf(name, values) }],
	);
	if (rules.length === 0) return undefined;
	return (record) => {
		const fields = read(record);
		return rules.every(({ name, accepts }) => accepts(fields[name]));
	};
}

function oneOf(name: string, values: readonly string[]): Accepts {
	const known = new Set(values.map((value) => toComparable(name, value)));
	return (value) => known.has(toComparable(name, value));
}

/** A time that was entered in a filter. */
type Border = { epoch: number } | undefined;

/** Accepts dates from one time on, and before another; undefined without either. */
export function between(from: Border, to: Border, zone: string): Accepts | undefined {
	if (from === undefined && to === undefined) return undefined;
	const { epoch: first = -Infinity } = from ?? {};
	const { epoch: end = Infinity } = to ?? {};
	return (value) => {
		const time = parsePlausibleTime(value, zone);
		return time !== undefined && time >= first && time < end;
	};
}
