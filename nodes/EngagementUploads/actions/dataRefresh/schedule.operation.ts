/** Data Refresh > Schedule (docs/service.md#schedule). */
import * as api from '../../service/endpoints';
import { engagement } from '../../fields/locators';
import { date, dependent, field, required } from '../../fields/field';
import { refreshOutput } from '../../service/uploadRecords';
import { timeOfDay } from '../../values/clock';
import { formatFilterTime, parseOptionalDate } from '../../values/dates';
import { parseOption } from '../../values/scalars';
import { isUnset } from '../../values/text';
import { defineOperation } from '../operation';

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
			default: '',
			description: 'How often the service refreshes the data',
		},
		required((value, label) =>
			isUnset(value) ? undefined : parseOption(value, label, FREQUENCIES),
		),
	),
	// Not marked as required: n8n would then not run the node without it, nor, before 2.33, name the field.
	scheduleStartDate: dependent(
		{ hide: { scheduleFrequency: [NOT_SCHEDULED] } },
		date(
			'Start Date',
			'Day of the first refresh',
			required((value, label, zone) =>
				isUnset(value) ? undefined : parseOptionalDate(value, label, zone),
			),
			{ typeOptions: { dateOnly: true } },
		),
	),
};

export const scheduleRefreshes = defineOperation({
	resource: 'dataRefresh',
	operation: 'schedule',
	name: 'Schedule',
	action: 'Schedule refreshes of engagement',
	description: 'Set how often the service refreshes the data, or stop automatic refreshes',
	fields,
	progress: 'Schedules set for engagements',
	async write(item, run) {
		const { engagementId, scheduleFrequency, scheduleStartDate } = item.values;
		// The service requires a date even to stop refreshes.
		const today = formatFilterTime(timeOfDay(), run.context.getTimezone()).slice(0, 10);
		const body = { scheduleFrequency, scheduleStartDate: scheduleStartDate?.day ?? today };
		const response = await item.send(api.scheduleRefreshes(engagementId, body));
		return { records: [refreshOutput(response, { engagementId })], writtenTo: engagementId };
	},
});
