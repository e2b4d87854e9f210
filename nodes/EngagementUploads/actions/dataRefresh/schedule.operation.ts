/** Data Refresh > Schedule (interface section 4.12). */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { engagementField, engagementOf } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { parseOption, parseOptionalDate, InputError } from '../../values/input';
import { formatFilterTime } from '../../values/dates';
import { CLIENT_ID } from '../../transport/address';
import { refreshResult } from '../../api/kinds';
import { writes } from '../operation';
import type { Item } from '../execution';
import { shownFor } from '../shown';
import { isActionRequired } from './answer';

const NOT_SCHEDULED = '0';
const FREQUENCIES = [NOT_SCHEDULED, '1', '2', '3', '4', '5'];

/** From often to never, which is easier to choose from than the alphabet. */
const byFrequency: INodePropertyOptions[] = [
	{ name: 'Daily', value: '4', description: 'An upload every day, from the Start Date on' },
	{ name: 'Weekly', value: '3', description: 'An upload every week, from the Start Date on' },
	{ name: 'Monthly', value: '2', description: 'An upload every month, from the Start Date on' },
	{
		name: 'Quarterly',
		value: '5',
		description: 'An upload every three months, from the Start Date on',
	},
	{ name: 'Annually', value: '1', description: 'An upload every year, from the Start Date on' },
	{
		name: 'Not Scheduled',
		value: '0',
		description: 'No more uploads by themselves. Ends a schedule that was set before.',
	},
];

const ownFields: INodeProperties[] = [
	{
		displayName: 'Frequency',
		name: 'scheduleFrequency',
		type: 'options',
		options: byFrequency,
		default: '2',
		description: 'How often the service refreshes the data by itself',
	},
	{
		displayName: 'Start Date',
		name: 'scheduleStartDate',
		type: 'dateTime',
		default: '',
		description: 'Day of the first refresh. Required, except with Not Scheduled.',
	},
];

export const fields = shownFor('dataRefresh', 'schedule', [
	engagementField,
	...ownFields,
	optionsField('customBody'),
]);

export const operation = writes((item) => {
	const engagementId = engagementOf(item);
	const scheduleFrequency = item.read('scheduleFrequency', 'Frequency', (value, field) =>
		parseOption(value, field, FREQUENCIES),
	);
	const body = { scheduleFrequency, scheduleStartDate: startDate(item, scheduleFrequency) };
	const callFor = item.caller('POST');
	return async () => {
		const id = await engagementId();
		const target = `/v1/clients/${CLIENT_ID}/engagements/${id}/schedule`;
		const call = callFor(target, `schedule data refreshes of engagement ${id}`, {}, body);
		const answer = await item.run.service.record(call, refreshResult);
		return [{ ...answer, engagementId: id, actionRequired: isActionRequired(answer) }];
	};
});

function startDate(item: Item, frequency: string): string {
	return item.read('scheduleStartDate', 'Start Date', (value, field) => {
		const date = parseOptionalDate(value, field, item.zone);
		if (date !== undefined) return date.day;
		if (frequency === NOT_SCHEDULED) return formatFilterTime(Date.now(), item.zone).slice(0, 10);
		throw new InputError(`${field} is empty`, `Enter the day of the first refresh in ${field}`);
	});
}
