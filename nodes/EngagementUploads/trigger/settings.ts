/** What the user chose in the trigger, checked. */
import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { outputChoice } from '../fields/output';
import { parseOptionalDate } from '../values/dates';
import { InputError } from '../values/inputError';
import { parseBoolean, parseNumber, parseOption } from '../values/scalars';
import type { OutputChoice } from '../output/outputMapper';
import { inputError } from '../transport/errors';
import { uploadFilter, type UploadFilter } from './filters';

const MINUTE = 60_000;
const SECOND = 1000;

export const startFields: INodeProperties[] = [
	{
		displayName:
			'Use a credential with a token endpoint: with a pasted access token, the trigger stops after about 30 minutes',
		name: 'tokenNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Beginning',
				value: 'beginning',
				description: 'All uploads that there are, the oldest first, and then each new one',
			},
			{
				name: 'Date',
				value: 'date',
				description: 'Uploads that were completed at a date or later, and then each new one',
			},
			{
				name: 'Now',
				value: 'now',
				description: 'Only uploads that are completed after the workflow is first published',
			},
		],
		default: 'now',
		description:
			'Where to begin when the workflow is first published. Changing it later begins again: uploads may then come a second time.',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { startFrom: ['date'] } },
		description: 'The workflow runs for uploads that were completed at this time or later',
	},
];

export const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Include Workflow',
			name: 'includeWorkflow',
			type: 'boolean',
			default: false,
			description:
				'Whether to add the processing steps to each upload, as workflow. Takes one more request for each upload.',
		},
		{
			displayName: 'Look-Back (Minutes)',
			name: 'lookback',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 120,
			description:
				'How long after its completion the service may take to list an upload, without it being missed. More is safer, but each poll then reads more.',
		},
		{
			displayName: 'Max Uploads per Poll',
			name: 'maxUploadsPerPoll',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1000,
			description:
				'Most uploads that start the workflow together. The others follow with the next polls, the oldest first.',
		},
		{
			displayName: 'Page Size',
			name: 'pageSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description: 'How many records to get with each request. What comes out stays the same.',
		},
		{
			displayName: 'Timeout (Seconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 60,
			description: 'How long the service may take to answer a request',
		},
	],
};

/** The settings of a poll; times in milliseconds. */
export interface TriggerSettings {
	startFrom: 'now' | 'date' | 'beginning';
	/** epoch milliseconds, for `date` */
	startAt?: number;
	/** The start as it was entered: an expression that gives another date each time is the same start. */
	startFingerprint: string;
	filter: UploadFilter;
	output: OutputChoice;
	lookback: number;
	maxUploads: number;
	pageSize: number;
	timeout: number;
	includeWorkflow: boolean;
}

/** Reads and checks the parameters of the trigger. @throws NodeOperationError that names the field */
export function triggerSettings(context: IPollFunctions): TriggerSettings {
	try {
		return settingsOf(context);
	} catch (error) {
		const { message, advice = '' } = error as Partial<InputError> & { message: string };
		throw inputError(context.getNode(), message, advice);
	}
}

function settingsOf(context: IPollFunctions): TriggerSettings {
	const value = (name: string): unknown => context.getNodeParameter(name, null);
	const options = (value('options') ?? {}) as IDataObject;
	const number = (name: string, field: string, standard: number, least: number, whole = true) =>
		parseNumber(options[name] ?? standard, field, least, Infinity, whole);
	const startFrom = parseOption(value('startFrom') ?? 'now', 'Start From', [
		'now',
		'date',
		'beginning',
	]);
	const entered = context.getNode().parameters.startDate;
	return {
		startFrom,
		startAt: startFrom === 'date' ? startOf(value('startDate'), context.getTimezone()) : undefined,
		startFingerprint: startFrom === 'date' ? `date ${JSON.stringify(entered)}` : startFrom,
		filter: uploadFilter((value('filters') ?? {}) as IDataObject),
		output: outputChoice(value('output'), value('fields')),
		lookback: number('lookback', 'Look-Back (Minutes)', 120, 0, false) * MINUTE,
		maxUploads: number('maxUploadsPerPoll', 'Max Uploads per Poll', 1000, 1),
		pageSize: number('pageSize', 'Page Size', 100, 1),
		timeout: number('timeout', 'Timeout (Seconds)', 60, 0.001, false) * SECOND,
		includeWorkflow: parseBoolean(options.includeWorkflow, 'Include Workflow'),
	};
}

function startOf(value: unknown, zone: string): number {
	const date = parseOptionalDate(value, 'Start Date', zone);
	if (date !== undefined) return date.epoch;
	throw new InputError(
		'Start Date is empty',
		'Enter a date in Start Date, or choose another Start From',
	);
}
