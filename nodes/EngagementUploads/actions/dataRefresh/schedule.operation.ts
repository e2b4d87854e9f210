/** Data Refresh > Schedule (docs/service.md#schedule). */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import * as api from '../../api/endpoints';
import { engagementField } from '../../fields/engagement';
import type { Item } from '../../fields/item';
import { optionsField } from '../../fields/options';
import { formatFilterTime, parseOptionalDate } from '../../values/dates';
import { InputError } from '../../values/inputError';
import { parseFrequency } from '../../values/scalars';
import type { Operation } from '../operation';
import { writes } from '../writes';
import { isActionRequired } from './actionRequired';

const NOT_SCHEDULED = '0';

/** Sorted from most to least frequent, which is easier to choose from than alphabetical order. */
const byFrequency: INodePropertyOptions[] = [
	{ name: 'Daily', value: '4' },
	{ name: 'Weekly', value: '3' },
	{ name: 'Monthly', value: '2' },
	{ name: 'Quarterly', value: '5' },
	{ name: 'Annually', value: '1' },
	{
		name: 'Not Scheduled',
		value: '0',
		description: 'Stop automatic refreshes',
	},
];

const ownFields: INodeProperties[] = [
	{
		displayName: 'Frequency',
		name: 'scheduleFrequency',
		type: 'options',
		options: byFrequency,
		default: '2',
		description: 'How often the service refreshes the data',
	},
	// Not marked as required: n8n would not run the node, and before 2.33 would not name the field.
	{
		displayName: 'Start Date',
		name: 'scheduleStartDate',
		type: 'dateTime',
		default: '',
		description: 'Day of the first refresh. Required, except with Not Scheduled.',
	},
];

export const scheduleRefreshes: Operation = {
	resource: 'dataRefresh',
	operation: 'schedule',
	name: 'Schedule',
	action: 'Schedule data refreshes of engagement',
	description:
		'Set how often the service refreshes the data, or stop automatic refreshes. Changes the schedule in the service.',
	fields: [engagementField, ...ownFields, optionsField('customBody', 'parallelRequests')],
	execute: writes('scheduledEngagements', (item, execution) => {
		const engagementId = execution.engagementId(item);
		const scheduleFrequency = item.read('scheduleFrequency', 'Frequency', parseFrequency);
		const body = { scheduleFrequency, scheduleStartDate: startDate(item, scheduleFrequency) };
		return {
			key: async () => String(await engagementId()),
			run: async () => {
				const id = await engagementId();
				const response = await execution.record(item, api.scheduleRefreshes(id, body));
				const actionRequired = isActionRequired(response);
				return { records: [{ ...response, engagementId: id, actionRequired }], engagementId: id };
			},
		};
	}),
};

function startDate(item: Item, frequency: string): string {
	return item.read('scheduleStartDate', 'Start Date', (value, field) => {
		const date = parseOptionalDate(value, field, item.zone);
		if (date !== undefined) return date.day;
		if (frequency === NOT_SCHEDULED) return formatFilterTime(Date.now(), item.zone).slice(0, 10);
		throw new InputError(`${field} is empty`, `Enter the day of the first refresh in ${field}`);
	});
}
