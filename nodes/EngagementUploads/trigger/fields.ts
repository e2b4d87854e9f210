/** The trigger's own parameters, as the editor shows them. */
import type { INodeProperties } from 'n8n-workflow';
import { collectionField } from '../fields/collections';
import { pageSizeOption, timeoutOption } from '../fields/options';
import { events } from './events';

const following = events.flatMap(({ value, follow }) => (follow === undefined ? [] : [value]));
const dated = events.map(({ value }) => value).filter((value) => !following.includes(value));

/** The event's name in lower case, as an expression. */
export const eventSubtitle = `={{ ${JSON.stringify(
	Object.fromEntries(events.map(({ value, name }) => [value, name.toLowerCase()])),
)}[$parameter["event"]] || "upload completed" }}`;

export const eventFields: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: events.map(({ value, name, description }) => ({ name, value, description })),
		default: 'uploadCompleted',
		description:
			'When to trigger. Changing it later starts over, and uploads may be emitted again.',
	},
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Beginning',
				value: 'beginning',
				description: 'All existing uploads, oldest first, and then each new one',
			},
			{
				name: 'Date',
				value: 'date',
				description: 'Uploads since a date, oldest first, and then each new one',
			},
			{
				name: 'Now',
				value: 'now',
				description: 'Only uploads after the workflow is first published',
			},
		],
		default: 'now',
		displayOptions: { show: { event: dated } },
		description:
			'Where to start when the workflow is first published. Changing it later starts over, and uploads may be emitted again.',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { event: dated, startFrom: ['date'] } },
		description:
			'Only uploads from this time on. An expression is evaluated once, at the first poll.',
	},
];

export const optionsField = collectionField('Options', 'options', 'Add option', [
	{
		displayName: 'Follow For (Days)',
		name: 'followFor',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 7,
		displayOptions: { show: { '/event': following } },
		description: 'How long after its creation to follow an upload that has not ended',
	},
	{
		displayName: 'Include Workflow',
		name: 'includeWorkflow',
		type: 'boolean',
		default: false,
		description:
			'Whether to add the processing steps to each upload, as workflow. Requires one more request per upload.',
	},
	{
		displayName: 'Look-Back (Minutes)',
		name: 'lookback',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 120,
		description:
			'How late an upload may be listed, or change after it has ended, and still be picked up. Larger values read more per poll.',
	},
	{
		displayName: 'Max Uploads per Poll',
		name: 'maxUploadsPerPoll',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1000,
		description:
			'Maximum number of uploads to emit at once. The rest follow with the next polls, oldest first.',
	},
	pageSizeOption,
	timeoutOption,
]);
