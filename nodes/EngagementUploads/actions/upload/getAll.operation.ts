/** Upload > Get Many (docs/service.md#uploads), for all engagements, or for one and a connector. */
import * as api from '../../service/endpoints';
import type { Upload } from '../../service/uploadRecords';
import { readStatus } from '../../service/uploadStatus';
import { connector, engagement } from '../../fields/locators';
import { choice, date, dependent, filterCollection, text, type Field } from '../../fields/field';
import {
	between,
	connectorNames,
	engagementIds,
	externalEngagementIds,
	fieldMatcher,
	outcomes,
	uploadStatuses,
} from '../../fields/filters';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { sortablePaging } from '../../fields/paging';
import { sort } from '../../fields/sort';
import type { ApiRequest } from '../../transport/request';
import { SECOND } from '../../values/clock';
import { formatFilterTime, parseOptionalDate, parseOptionalEnd } from '../../values/dates';
import { parseUploadId } from '../../values/ids';
import type { ItemOf } from '../item';
import { defineOperation } from '../operation';

const ofConnector = <T>({ property, parse }: Field<T>) =>
	dependent(
		{ show: { source: ['connector'] } },
		{ property: { ...property, required: false }, parse },
	);

const from = (event: string) =>
	date(
		`${event} From`,
		`Only uploads ${event.toLowerCase()} at this time or later. For the last week, use the expression {{ $now.minus({ days: 7 }) }}.`,
		parseOptionalDate,
	);

const to = (event: string) =>
	date(
		`${event} To`,
		`Only uploads ${event.toLowerCase()} before this time. A date without a time includes that day.`,
		parseOptionalEnd,
	);

const fields = {
	source: choice('Source', 'Whose uploads to list', 'client', {
		client: ['All Engagements'],
		connector: ['One Engagement and Connector'],
	}),
	engagementId: ofConnector(engagement),
	connectorName: ofConnector(connector('searchConnectors')),
	...sortablePaging,
	filters: filterCollection({
		completedDateFrom: from('Completed'),
		completedDateTo: to('Completed'),
		connectorNames,
		createdDateFrom: from('Created'),
		createdDateTo: to('Created'),
		engagementIds: dependent({ show: { '/source': ['client'] } }, engagementIds),
		externalEngagementIds,
		outcomes,
		uploadId: text('Upload ID', 'Only the upload with this ID', parseUploadId, {
			placeholder: 'e.g. 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11',
		}),
		uploadStatuses,
	}),
	...output('upload'),
	options: options('pageSize'),
	sort: sort({
		'Completion Date': 'completionDate',
		'Connector Name': 'connectorName',
		'Creation Date': 'creationDate',
		'Engagement ID': 'engagementId',
		'Engagement Name': 'engagementName',
		'Upload ID': 'uploadId',
		'Upload Status': 'uploadStatus',
		'Upload Type': 'uploadType',
	}),
};

export const getManyUploads = defineOperation({
	resource: 'upload',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many uploads',
	description: 'Get a list of uploads',
	fields,
	async read(item, run) {
		const { outcomes: outcome, ...filters } = item.values.filters;
		const { zone } = run.client;
		const isOfAll = item.values.engagementId === undefined;
		const matches = fieldMatcher(
			{
				connectorName: filters.connectorNames,
				externalEngagementId: filters.externalEngagementIds,
				outcome,
				uploadStatus: filters.uploadStatuses,
				engagementId: isOfAll ? filters.engagementIds : undefined,
				uploadId: filters.uploadId === undefined ? undefined : [filters.uploadId],
				creationDate: between(filters.createdDateFrom, filters.createdDateTo, zone),
				completionDate: between(filters.completedDateFrom, filters.completedDateTo, zone),
			},
			(upload: Upload) => ({
				...upload,
				outcome: outcome && run.outcomeOf(upload),
				uploadStatus: readStatus(upload),
			}),
		);
		return await item.list(toRequest(item, zone), 'upload', matches);
	},
});

function toRequest({ values }: ItemOf<typeof fields>, zone: string): ApiRequest<Upload> {
	const { engagementId, connectorName, filters, sort: orderBy } = values;
	// The borders are not documented, so a second more is asked for.
	const sent = (entered: { epoch: number } | undefined, margin: number) =>
		entered && formatFilterTime(entered.epoch + margin, zone);
	const query = {
		engagementId: filters.engagementIds?.join(),
		uploadId: filters.uploadId,
		createdDateFrom: sent(filters.createdDateFrom, -SECOND),
		createdDateTo: sent(filters.createdDateTo, SECOND),
		completedDateFrom: sent(filters.completedDateFrom, -SECOND),
		completedDateTo: sent(filters.completedDateTo, SECOND),
		orderBy,
	};
	return engagementId === undefined || connectorName === undefined
		? api.listUploads(query)
		: api.listConnectorUploads(engagementId, connectorName, { ...query, engagementId: undefined });
}
