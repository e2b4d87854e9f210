/** Data Refresh > Schedule (docs/service.md#schedule). */
import * as api from '../../api/endpoints';
import { engagement } from '../../fields/engagement';
import { date, field } from '../../fields/field';
import { options } from '../../fields/options';
import { refreshOutput } from '../../output/refreshOutput';
import { timeOfDay } from '../../values/clock';
import { formatFilterTime, parseOptionalDate } from '../../values/dates';
import { emptyField } from '../../values/inputError';
import { parseOption } from '../../values/scalars';
import { writes, type Operation } from '../operation';

const NOT_SCHEDULED = '0';
/** From most to least frequent, which is easier to choose from than alphabetical order. */
const FREQUENCIES = [
	{ name: 'Daily', value: '4' },
	{ name: 'Weekly', value: '3' },
	{ name: 'Monthly', value: '2' },
	{ name: 'Quarterly', value: '5' },
	{ name: 'Annually', value: '1' },
	{ name: 'Not Scheduled', value: NOT_SCHEDULED, description: 'Stop automatic refreshes' },
];

const fields = {
	engagementId: engagement,
	scheduleFrequency: field(
		{
			displayName: 'Frequency',
			type: 'options',
			options: FREQUENCIES,
			default: '2',
			description: 'How often the service refreshes the data',
		},
		(value, label) => parseOption(value, label, FREQUENCIES),
	),
	// Not marked as required: n8n would not run the node, and before 2.33 would not name the field.
	scheduleStartDate: date(
		'Start Date',
		'Day of the first refresh. Required, except with Not Scheduled.',
		parseOptionalDate,
	),
	options: options('customBody'),
};

const scheduled = { key: 'scheduledEngagements', label: 'Schedules set for engagements' };

export const scheduleRefreshes = {
	resource: 'dataRefresh',
	operation: 'schedule',
	name: 'Schedule',
	action: 'Schedule data refreshes of engagement',
	description:
		'Set how often the service refreshes the data, or stop automatic refreshes. Changes the schedule in the service.',
	...writes(scheduled, fields, (item, execution) => {
		const { scheduleFrequency, scheduleStartDate, options: own } = item.values;
		// What Custom Body names takes precedence.
		const isNamed = Object.hasOwn(own.customBody ?? {}, 'scheduleStartDate');
		const start =
			scheduleStartDate?.day ??
			(isNamed ? undefined : today(scheduleFrequency, execution.context.getTimezone()));
		const body = { scheduleFrequency, scheduleStartDate: start };
		const find = execution.target(item, (id) => api.scheduleRefreshes(id, body));
		return {
			key: async () => String((await find()).engagementId),
			run: async () => {
				const { engagementId, request } = await find();
				const response = await execution.client.record(request);
				return { records: [refreshOutput(response, { engagementId })], done: { engagementId } };
			},
		};
	}),
} as const satisfies Operation;

/** The start date if none was entered, which is allowed only with Not Scheduled. */
function today(frequency: string, zone: string): string {
	if (frequency !== NOT_SCHEDULED) throw emptyField(fields.scheduleStartDate.property.displayName);
	return formatFilterTime(timeOfDay(), zone).slice(0, 10);
}
