/** The trigger's parameters: how the editor shows them, and how a poll reads them. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { listConnectors } from '../service/endpoints';
import { readStatus } from '../service/uploadStatus';
import type { ServiceClient } from '../transport/client';
import { readList } from '../transport/pages';
import {
	choice,
	collection,
	date,
	dependent,
	flag,
	number,
	toProperties,
	readFields,
	required,
	type Source,
	type Values,
} from '../fields/field';
import {
	connectorNames,
	engagementIds,
	externalEngagementIds,
	fieldMatcher,
	uploadStatuses,
} from '../fields/filters';
import { pageSize } from '../fields/options';
import { output } from '../fields/output';
import { DAY, HOUR, MINUTE } from '../values/clock';
import { parseOptionalDate } from '../values/dates';
import { InputError, quote } from '../values/inputError';
import { enteredIn } from '../values/objects';
import { fingerprint, foldCase } from '../values/text';
import { defaultEvent, events, uploadStatusChanged, uploadStuck } from './events';

const following = ['uploadFailed', 'uploadStatusChanged'];
const dated = events.filter(({ span }) => span === undefined).map(({ value }) => value);

/** The event's name, as an expression. */
export const eventSubtitle = `={{ ${JSON.stringify(
	Object.fromEntries(events.map(({ value, name }) => [value, name])),
)}[$parameter["event"]] || ${JSON.stringify(defaultEvent.name)} }}`;

const event = choice(
	'Event',
	'When to trigger. If you change it later, the trigger starts over, and may run for the same uploads again.',
	defaultEvent.value,
	Object.fromEntries(events.map(({ value, name, description }) => [value, [name, description]])),
	{ noDataExpression: true },
);

const startFrom = dependent(
	{ show: { event: dated } },
	choice(
		'Start From',
		'Where to start when the workflow is first published. If you change it later, the trigger starts over, and may run for the same uploads again.',
		'now',
		{
			beginning: ['Beginning', 'All existing uploads, oldest first, and then each new one'],
			date: ['Date', 'Uploads since a date, oldest first, and then each new one'],
			now: ['Now', 'Only uploads after the workflow is first published'],
		},
	),
);

const startDate = dependent(
	{ show: { event: dated, startFrom: ['date'] } },
	date(
		'Start Date',
		'Only uploads from this time on. An expression is evaluated once, at the first poll.',
		(value, label, zone) => required(parseOptionalDate)(value, label, zone).epoch,
		{ required: true },
	),
);

/** The trigger applies them itself, since the service does not have all of them. */
const filterFields = {
	connectorNames,
	engagementIds,
	externalEngagementIds,
	uploadStatuses: dependent({ show: { '/event': [uploadStatusChanged.value] } }, uploadStatuses),
};
const filters = collection('Filters', 'Add filter', filterFields, {
	description:
		'Which uploads to pass on. If you change a filter later, matching uploads from the past few days may come through too.',
});

const options = {
	includeWorkflow: flag(
		'Include Steps',
		'Whether to add the processing steps to each upload, and the current one with its status. Requires one more request per upload.',
	),
	lookback: number(
		'Look-Back (Minutes)',
		'Extra time, beyond a day, for an upload to appear in the list. Larger values cost more requests.',
		{ default: 120, min: 0, unit: MINUTE },
	),
	maxUploadsPerPoll: number(
		'Max Uploads per Poll',
		'Maximum number of uploads per run. The rest follow with the next polls, oldest first.',
		{ default: 1000, min: 1 },
	),
	pageSize,
	followFor: number(
		'Follow For (Days)',
		'How long after its creation an upload may fail or change its status and still be noticed. Larger values cost more requests.',
		{ default: 7, min: 1, unit: DAY },
		{ displayOptions: { show: { '/event': following } } },
	),
};

/** The trigger's parameters, in the editor's order. */
const fields = {
	event,
	stuckAfter: dependent(
		{ show: { event: [uploadStuck.value] } },
		number(
			'Stuck After (Hours)',
			'How long after its creation an upload counts as stuck if it has neither completed nor failed',
			{ default: 6, min: 0, unit: HOUR },
		),
	),
	startFrom,
	startDate,
	filters,
	...output('upload'),
	options: collection('Options', 'Add option', options),
};

export const triggerProperties = toProperties(fields);

/** The settings of a poll; times in milliseconds. */
export type TriggerSettings = ReturnType<typeof readTriggerSettings>;

/** Reads and validates the trigger's parameters. @throws InputError that names the field */
export function readTriggerSettings(context: IPollFunctions) {
	const source: Source = {
		zone: context.getTimezone(),
		value: (name) =>
			enteredIn(context.getNode().parameters, name, context.getNodeParameter(name, null) ?? null),
	};
	// Start Date is read only when it is needed, since an expression is evaluated once.
	const values = readFields(fields, source, { startDate: undefined });
	const { startFrom: start = 'now', options: chosen } = values;
	const chosenEvent = events.find(({ value }) => value === values.event) ?? defaultEvent;
	const entered = context.getNode().parameters.startDate;
	return {
		...values,
		...chosen,
		event: chosenEvent,
		matches: toMatcher(values.filters, chosenEvent === uploadStatusChanged),
		/** Whether the first poll records the existing uploads instead of emitting them. */
		startsNow: start === 'now',
		/** The fingerprint of the start as entered, so that an expression is one start, whatever its value. */
		start: fingerprint(start === 'date' ? `date ${JSON.stringify(entered)}` : start),
		/** Start Date in epoch milliseconds; undefined for another start. @throws InputError */
		readStartDate: () => {
			const conditions = { event: values.event, startFrom: values.startFrom };
			return readFields({ event, startFrom, startDate }, source, conditions).startDate;
		},
	};
}

/** @throws InputError if the filter by connectors contains a name that none has */
export async function assertConnectorsExist(
	{ filters: { connectorNames: names } }: TriggerSettings,
	client: ServiceClient,
): Promise<void> {
	if (names === undefined) return;
	const connectors = await readList(client, listConnectors());
	const existing = new Set(connectors.map(({ name }) => foldCase(name)));
	const unknown = names.find((name) => !existing.has(foldCase(name)));
	if (unknown === undefined) return;
	throw new InputError(
		`${connectorNames.property.displayName} contains ${quote(unknown)}, which is not the name of a connector`,
		'Choose the connectors from the list, or remove the filter',
	);
}

/** Tells whether a record matches the filters; statuses count only for the event that offers them. */
function toMatcher(entered: Values<typeof filterFields>, withStatuses: boolean) {
	const matches = fieldMatcher({
		engagementId: entered.engagementIds,
		externalEngagementId: entered.externalEngagementIds,
		connectorName: entered.connectorNames,
		uploadStatus: withStatuses ? entered.uploadStatuses : undefined,
	});
	return (record: IDataObject) =>
		matches?.({ ...record, uploadStatus: readStatus(record) }) ?? true;
}
