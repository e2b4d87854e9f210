/**
 * Upload > Get Many (docs/service.md#uploads), for all engagements or for one and its connector.
 */
import type { INodeProperties } from 'n8n-workflow';
import * as api from '../../api/endpoints';
import type { Upload } from '../../api/records';
import { collectionField } from '../../fields/collections';
import { connectorField } from '../../fields/connector';
import { engagementField } from '../../fields/engagement';
import type { Item } from '../../fields/item';
import type { ListFilter } from '../../fields/listFilter';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { sortablePagingFields } from '../../fields/paging';
import { orderByOf, sortField } from '../../fields/sort';
import {
	connectorNamesFilter,
	engagementIdsFilter,
	filterRules,
	matchesRules,
	parseConnectorNames,
	parseStatuses,
	uploadStatusesFilter,
	type FilterRule,
} from '../../fields/uploadFilters';
import type { ApiRequest } from '../../transport/client';
import type { Query } from '../../transport/url';
import { formatFilterTime, parseOptionalDate, parseOptionalEnd } from '../../values/dates';
import { parseIds, parseUploadId } from '../../values/ids';
import { InputError } from '../../values/inputError';
import { parseOption } from '../../values/scalars';
import { isEmpty } from '../../values/text';
import type { Execution } from '../execution';
import { lists } from '../lists';
import type { Operation } from '../operation';

const sourceField: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: [
		{
			name: 'All Engagements',
			value: 'client',
			description: 'Uploads of all your engagements',
		},
		{
			name: 'One Engagement and Connector',
			value: 'connector',
			description: 'Uploads of one engagement through one connector',
		},
	],
	default: 'client',
	description: 'Whose uploads to list',
};

const sources = ['client', 'connector'] as const;

const forConnector = { show: { source: ['connector'] } };

const dateFilter = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'dateTime',
	default: '',
	description,
});

const filtersField = collectionField('Filters', 'filters', 'Add filter', [
	dateFilter('Completed From', 'completedDateFrom', 'Only uploads completed after this time'),
	dateFilter(
		'Completed To',
		'completedDateTo',
		'Only uploads completed before this time. A date without a time includes that day.',
	),
	connectorNamesFilter,
	dateFilter('Created From', 'createdDateFrom', 'Only uploads created after this time'),
	dateFilter(
		'Created To',
		'createdDateTo',
		'Only uploads created before this time. A date without a time includes that day.',
	),
	{ ...engagementIdsFilter, displayOptions: { show: { '/source': ['client'] } } },
	{
		displayName: 'Upload ID',
		name: 'uploadId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11',
		description: 'Only the upload with this ID',
	},
	uploadStatusesFilter,
]);

const sort = sortField([
	{ name: 'Completion Date', value: 'completionDate' },
	{ name: 'Connector Name', value: 'connectorName' },
	{ name: 'Creation Date', value: 'creationDate' },
	{ name: 'Engagement ID', value: 'engagementId' },
	{ name: 'Engagement Name', value: 'engagementName' },
	{ name: 'Upload ID', value: 'uploadId' },
	{ name: 'Upload Status', value: 'uploadStatus' },
	{ name: 'Upload Type', value: 'uploadType' },
]);

export const getManyUploads: Operation = {
	resource: 'upload',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many uploads',
	description: 'Get a list of uploads, or a single one by its Upload ID',
	fields: [
		sourceField,
		{ ...engagementField, required: false, displayOptions: forConnector },
		{ ...connectorField('searchConnectors'), required: false, displayOptions: forConnector },
		...sortablePagingFields,
		filtersField,
		sort,
		...outputFields('uploadId, uploadStatus, completionDate'),
		optionsField('pageSize', 'parallelRequests'),
	],
	execute: lists('upload', (item, execution) => {
		const rules = readRules(item);
		return {
			requests: readRequests(item, execution),
			pageSize: item.options.pageSize,
			...(rules.length > 0 && { matches: (record: Upload) => matchesRules(rules, record) }),
		};
	}),
};

/** Reads what to list; the result looks up engagement and connector if needed. */
function readRequests(item: Item, execution: Execution): () => Promise<Array<ApiRequest<Upload>>> {
	item.checkNames(filtersField);
	const source = item.read('source', 'Source', (value, field) =>
		parseOption(value ?? 'client', field, sources),
	);
	const query = { ...readFilters(item, execution), orderBy: orderByOf(item) };
	const filter = readEngagementFilter(item);
	if (source === 'client') {
		const requests = execution.listRequests(item, api.listUploads(query), filter);
		return async () => requests;
	}
	if (filter.ids !== undefined) {
		throw item.error(
			new InputError(
				'Engagement IDs cannot be combined with this Source',
				'Remove the filter, since Engagement already selects the engagement',
			),
		);
	}
	const engagementId = execution.engagementId(item);
	const connectorName = execution.connectorName(item);
	return async () => {
		const request = api.listConnectorUploads(await engagementId(), await connectorName(), query);
		return [execution.request(item, request)];
	};
}

/** The filters that the service does not have. */
function readRules(item: Item): FilterRule[] {
	const { displayName } = connectorNamesFilter;
	const names = item.readFrom('filters', 'connectorNames', displayName, parseConnectorNames);
	const statuses = item.readFrom('filters', 'uploadStatuses', 'Upload Statuses', parseStatuses);
	return [...filterRules('connectorName', names), ...filterRules('uploadStatus', statuses)];
}

function readEngagementFilter(item: Item): ListFilter {
	const field = 'Engagement IDs';
	const ids = item.readFrom('filters', 'engagementIds', field, parseIds)?.map(String);
	return { name: 'engagementId', field, ids, maxIds: api.MAX_ENGAGEMENT_IDS };
}

function readFilters(item: Item, { client: { zone } }: Execution): Query {
	const date = (name: string, label: string, parse = parseOptionalDate) => {
		const entered = item.readFrom('filters', name, label, (value, field) =>
			parse(value, field, item.zone),
		);
		return entered && formatFilterTime(entered.epoch, zone);
	};
	return {
		uploadId: item.readFrom('filters', 'uploadId', 'Upload ID', (value, field) =>
			isEmpty(value) ? undefined : parseUploadId(value, field),
		),
		createdDateFrom: date('createdDateFrom', 'Created From'),
		createdDateTo: date('createdDateTo', 'Created To', parseOptionalEnd),
		completedDateFrom: date('completedDateFrom', 'Completed From'),
		completedDateTo: date('completedDateTo', 'Completed To', parseOptionalEnd),
	};
}
