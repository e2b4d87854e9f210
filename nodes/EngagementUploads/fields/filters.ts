/** Filters of lists. Those that the service does not have are applied to the records that it returns. */
import type { IDataObject } from 'n8n-workflow';
import type { Connector } from '../service/records';
import { DAY } from '../values/clock';
import { parseExternalIds, parseIds } from '../values/ids';
import { parseList } from '../values/objects';
import { foldCase, toText } from '../values/text';
import { builderHint, choices, field, filterCollection, flag, number, text } from './field';

/** Connectors by name, title or ID. */
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

/**
 * The names of connectors in uploads, if none of them is that of a connector: then a filter by connectors
 * excludes all uploads.
 */
export function otherNames(names: Set<unknown>, connectors: Connector[]): string[] {
	const known = new Set(connectors.map(({ name }) => foldCase(name)));
	const isKnown = [...names].some((name) => known.has(foldCase(name)));
	return isKnown ? [] : [...names].map((name) => toText(name ?? 'none'));
}

const engagementIdsOf = (records: string) =>
	text(
		'Engagement IDs',
		`Only ${records}, separated by commas`,
		(value, label) => parseIds(value, label)?.map(String),
		{ placeholder: 'e.g. 1001, 1002' },
	);

export const engagementIds = engagementIdsOf('uploads of these engagements');

/** A filter of engagements, or of what belongs to them. */
const byExternalId = (records: string) =>
	text(
		'External Engagement IDs',
		`Only ${records} with these external IDs (your own IDs), separated by commas`,
		parseExternalIds,
		{ placeholder: 'e.g. CUSTOMER-42, CUSTOMER-43' },
	);

export const externalEngagementIds = byExternalId('uploads of engagements');

/** A filter by a field of the record, of which nobody knows all values. */
const byValue = (label: string, name: string, description: string, placeholder?: string) =>
	text(label, `${description}, separated by commas. Get Many shows them as ${name}.`, parseList, {
		placeholder,
	});

const ofEngagements = {
	engagementIds: engagementIdsOf('engagements with these IDs'),
	externalEngagementIds: byExternalId('engagements'),
	refreshable: flag(
		'Refreshable',
		'Whether to return only engagements with data refresh enabled. Turn off to return only the others.',
		{ default: true },
	),
	relationshipManagers: byValue(
		'Relationship Managers',
		'relationshipManager',
		'Only the engagements of these people',
		'e.g. Robin Field, Ada Lund',
	),
	statuses: byValue(
		'Statuses',
		'status',
		'Only engagements with one of these statuses, as the service names them',
	),
};

/** The filters of engagement lists. */
export const engagementFilters = filterCollection(ofEngagements);

/** The filters of the data status. */
export const dataStatusFilters = filterCollection({
	...ofEngagements,
	olderThan: number(
		'Data Older Than (Days)',
		'Only engagements whose last completed upload is older than this, even if a later one failed, is stuck or in progress. Those without any data are left out.',
		{ default: 30, min: 0, max: 36_500, unit: DAY },
		builderHint(
			'For “data older than … days”, set this alone: Data Statuses with Stale After would leave out customers whose latest upload failed or is stuck',
		),
	),
});

export const uploadTypes = byValue('Upload Types', 'uploadType', 'Only uploads of these types');

/** How uploads ended, if they have, as in the data status of engagements. */
export const outcomes = choices(
	'Outcomes',
	'Only uploads with one of these outcomes. Failed and unfinished ones may have no completion date, so combine them with Created From, not with Completed From.',
	{
		completed: ['Completed', 'The data is there, perhaps with warnings'],
		failed: ['Failed', 'The upload failed, or was cancelled, rejected or timed out'],
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

/** The accepted values of fields of a record; undefined accepts every value. */
type Accepted = Record<string, string[] | undefined>;

/** Tells whether a record has an accepted value in each field; case does not matter. */
export function fieldMatcher(accepted: Accepted): (record: IDataObject) => boolean {
	const rules = Object.entries(accepted).flatMap(([name, values]) =>
		values === undefined ? [] : [{ name, values: new Set(values.map(foldCase)) }],
	);
	return (record) => rules.every(({ name, values }) => values.has(foldCase(record[name])));
}
