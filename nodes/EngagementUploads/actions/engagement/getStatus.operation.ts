/** Engagement > Get Data Status: the engagement list with the last upload of each. */
import type { IDataObject } from 'n8n-workflow';
import * as api from '../../service/endpoints';
import { builderHint, choices, number } from '../../fields/field';
import { engagementFilters } from '../../fields/filters';
import { options } from '../../fields/options';
import { computedOutput } from '../../fields/output';
import { dataStatusMeanings, dataStatusRecord } from '../../service/dataStatus';
import { selectFields, simplify } from '../../service/kind';
import { engagement as kind, readEngagementId, type Engagement } from '../../service/records';
import { findLastUploads } from '../../lookups/uploads';
import { isAboutRequest, rethrow } from '../../transport/errors';
import { readList } from '../../transport/pages';
import { DAY, HOUR } from '../../values/clock';
import { toText } from '../../values/text';
import type { ItemOf } from '../item';
import { defineOperation } from '../operation';
import { engagementMatcher } from './getAll.operation';

const fields = {
	dataStatuses: choices(
		'Data Statuses',
		'Which engagements to return',
		{
			disabled: ['Disabled', 'The engagement is disabled'],
			never: ['Never', 'No upload yet'],
			failed: ['Failed', 'The last upload failed'],
			running: ['Running', 'The last upload is in progress'],
			stuck: ['Stuck', 'The last upload has been in progress for longer than Stuck After'],
			stale: ['Stale', 'The last upload was completed longer ago than Stale After'],
			fresh: ['Fresh', 'The last upload was completed within Stale After'],
			unknown: ['Unknown', "The service did not return this engagement's last upload"],
		},
		{
			// The empty field only says “Select”.
			hint: 'All if none is selected',
			...builderHint('The statuses the user asks for; then no Filter or If node is needed'),
		},
	),
	staleAfter: number('Stale After (Days)', 'Days after which a completed upload counts as stale', {
		default: 30,
		min: 0,
		max: 36_500,
		unit: DAY,
	}),
	stuckAfter: number(
		'Stuck After (Hours)',
		'Number of hours that an upload may be in progress before it counts as stuck',
		{ default: 6, min: 0, max: 8760, unit: HOUR },
	),
	filters: engagementFilters,
	...computedOutput('engagement', dataStatusMeanings),
	options: options('pageSize'),
};

const UNKNOWN = 'unknown' as const;

type StatusItem = ItemOf<typeof fields>;

export const getDataStatus = defineOperation({
	resource: 'engagement',
	operation: 'getStatus',
	name: 'Get Data Status',
	action: 'Get data status of many engagements',
	description:
		"Get whether each customer's data is fresh, stale or missing, and whether the last upload failed or is stuck",
	fields,
	async read(item, run) {
		const { client } = run;
		const { dataStatuses, filters, options: own, ...rules } = item.values;
		const request = api.listEngagements({
			externalEngagementId: filters.externalEngagementIds?.join(),
		});
		const engagements = await readList(client, item.request(request), {
			pageSize: own.pageSize,
			matches: engagementMatcher(filters),
		});
		const idOf = (engagement: Engagement) => toText(readEngagementId(engagement));
		const uploads = await findLastUploads(client, engagements.map(idOf));
		assertSomeAnswer(uploads.errors, engagements.length);
		const { serviceTime: now, zone } = client;
		return engagements
			.map((engagement) => {
				const last = uploads.values.get(idOf(engagement));
				if (last !== undefined) run.outcomeOf(last);
				const status = dataStatusRecord(engagement, last, { ...rules, now, zone });
				const isRefused = uploads.errors.has(idOf(engagement));
				return { engagement, status: isRefused ? { ...status, dataStatus: UNKNOWN } : status };
			})
			.filter(({ status }) => dataStatuses?.includes(status.dataStatus) ?? true)
			.map(({ status, engagement }) => toOutput(status, engagement, item, zone));
	},
});

/** The service may refuse the last uploads of some engagements, but not of all. @throws why it refuses all */
function assertSomeAnswer(errors: Map<string, unknown>, count: number): void {
	const why = [...errors.values()].find((error) => errors.size === count || !isAboutRequest(error));
	if (why !== undefined) rethrow(why);
}

/** A data status record in the form that Output selects; its own values precede the engagement's. */
function toOutput(
	status: IDataObject,
	engagement: Engagement,
	{ values: { output, fields: names = [] } }: StatusItem,
	zone: string,
): IDataObject {
	if (output === 'simplified') return status;
	const own = simplify(engagement, kind, { zone });
	return selectFields(names, { ...own, ...status }, engagement, kind, { zone });
}
