/** The trigger's parameters, validated. */
import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { outputChoice } from '../fields/output';
import type { OutputChoice } from '../output/outputMapper';
import { inputError } from '../transport/errors';
import { parseOptionalDate } from '../values/dates';
import { InputError } from '../values/inputError';
import { parseCollection } from '../values/objects';
import { parseBoolean, parseNumber, parseOption } from '../values/scalars';
import { isEmpty } from '../values/text';
import { events } from './events';
import type { UploadEvent } from './events/event';
import { optionsField } from './fields';
import type { FilterRule } from '../fields/uploadFilters';
import { filtersField, parseFilter } from './filters';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The settings of a poll; times in milliseconds. */
export interface TriggerSettings {
	event: UploadEvent;
	/** Whether the first poll marks existing uploads as seen without emitting them. */
	startsNow: boolean;
	/** The start as entered: an expression is the same start whatever its value. */
	start: string;
	/**
	 * Start Date as it is now, in epoch milliseconds; undefined for another start.
	 * @throws NodeOperationError
	 */
	readStartDate(): number | undefined;
	/** Whether Start Date is an expression, which may have another value at each poll. */
	isStartChanging: boolean;
	filter: FilterRule[];
	output: OutputChoice;
	lookback: number;
	followFor: number;
	maxUploads: number;
	pageSize: number;
	timeout: number;
	includeWorkflow: boolean;
}

/** Reads and validates the trigger's parameters. @throws NodeOperationError that names the field */
export function triggerSettings(context: IPollFunctions): TriggerSettings {
	return checked(context, () => settingsOf(context));
}

function settingsOf(context: IPollFunctions): TriggerSettings {
	const value = (name: keyof typeof LABELS): unknown => evaluate(context, name);
	const options = parseCollection(value('options'), 'Options', namesIn(optionsField));
	const number = (name: string, field: string, defaultValue: number, min: number, whole = true) =>
		parseNumber(isEmpty(options[name]) ? defaultValue : options[name], field, min, Infinity, whole);
	const known = events.map((event) => event.value);
	const chosen = parseOption(value('event') ?? 'uploadCompleted', 'Event', known);
	const event = events.find((each) => each.value === chosen) as UploadEvent;
	const startFrom =
		event.follow === undefined
			? parseOption(value('startFrom') ?? 'now', 'Start From', ['now', 'date', 'beginning'])
			: 'now';
	const entered = context.getNode().parameters.startDate;
	return {
		event,
		startsNow: startFrom === 'now',
		start: startFrom === 'date' ? `date ${JSON.stringify(entered)}` : startFrom,
		isStartChanging: typeof entered === 'string' && entered.startsWith('='),
		readStartDate: () => (startFrom === 'date' ? startDateOf(context) : undefined),
		filter: parseFilter(parseCollection(value('filters'), 'Filters', namesIn(filtersField))),
		output: outputChoice(value('output'), value('fields')),
		lookback: number('lookback', 'Look-Back (Minutes)', 120, 0, false) * MINUTE,
		followFor: number('followFor', 'Follow For (Days)', 7, 0, false) * DAY,
		maxUploads: number('maxUploadsPerPoll', 'Max Uploads per Poll', 1000, 1),
		pageSize: number('pageSize', 'Page Size', 100, 1),
		timeout: number('timeout', 'Timeout (Seconds)', 60, 0.001, false) * SECOND,
		includeWorkflow: parseBoolean(options.includeWorkflow, 'Include Workflow'),
	};
}

/** Labels of the parameters, for errors. */
const LABELS = {
	event: 'Event',
	fields: 'Fields',
	filters: 'Filters',
	options: 'Options',
	output: 'Output',
	startDate: 'Start Date',
	startFrom: 'Start From',
};

/** The value of a parameter. @throws InputError that names it, with n8n's explanation */
function evaluate(context: IPollFunctions, name: keyof typeof LABELS): unknown {
	try {
		return context.getNodeParameter(name, null);
	} catch (error) {
		throw evaluationError(error as Error, LABELS[name]);
	}
}

function evaluationError({ message }: Error, field: string): InputError {
	return new InputError(
		`${field} could not be evaluated: ${message}`,
		`Check the expression in ${field}`,
	);
}

function startDateOf(context: IPollFunctions): number {
	return checked(context, () => {
		const entered = evaluate(context, 'startDate');
		const date = parseOptionalDate(entered, 'Start Date', context.getTimezone());
		if (date !== undefined) return date.epoch;
		throw new InputError(
			'Start Date is empty',
			'Enter a date in Start Date, or choose another Start From',
		);
	});
}

function checked<T>(context: IPollFunctions, read: () => T): T {
	try {
		return read();
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw inputError(context.getNode(), message, error instanceof InputError ? error.advice : '');
	}
}

function namesIn({ options = [] }: INodeProperties): string[] {
	return options.map(({ name }) => name);
}
