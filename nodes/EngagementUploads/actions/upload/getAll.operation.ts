/** Upload > Get Many (interface section 4.4, both paths). */
import type { INodeProperties } from 'n8n-workflow';
import { connectorField, connectorOf } from '../../fields/connector';
import { engagementField, engagementOf } from '../../fields/engagement';
import { filterQueries } from '../../fields/idFilter';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { limitOf, pagingFields } from '../../fields/paging';
import { orderByOf, sortField } from '../../fields/sort';
import {
	isEmpty,
	parseOption,
	parseOptionalDate,
	parseIds,
	parseUploadId,
	InputError,
} from '../../values/input';
import { formatFilterTime } from '../../values/dates';
import { CLIENT_ID } from '../../transport/address';
import { upload } from '../../api/kinds';
import { readLists } from '../../transport/list';
import { path, type Query } from '../../transport/url';
import { reads } from '../operation';
import type { Item } from '../execution';
import { shownFor } from '../shown';

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
			description: 'Uploads of one engagement from one accounting package',
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

const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		dateFilter(
			'Completed From',
			'completedDateFrom',
			'Only uploads that were completed after this time',
		),
		dateFilter(
			'Completed To',
			'completedDateTo',
			'Only uploads that were completed before this time',
		),
		dateFilter('Created From', 'createdDateFrom', 'Only uploads that were started after this time'),
		dateFilter('Created To', 'createdDateTo', 'Only uploads that were started before this time'),
		{
			displayName: 'Engagement IDs',
			name: 'engagementIds',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1001, 1002',
			description: 'Only uploads of these engagements, separated by commas',
			displayOptions: { show: { '/source': ['client'] } },
		},
		{
			displayName: 'Upload ID',
			name: 'uploadId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11',
			description: 'Only the upload with this ID',
		},
	],
};

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

export const fields = shownFor('upload', 'getAll', [
	sourceField,
	{ ...engagementField, required: false, displayOptions: forConnector },
	{ ...connectorField('searchConnectors'), required: false, displayOptions: forConnector },
	...pagingFields,
	filtersField,
	sort,
	...outputFields,
	optionsField('pageSize', 'parallelRequests'),
]);

const PATH = `/v1/clients/${CLIENT_ID}/uploads`;
const MOST_ENGAGEMENTS = 100;

export const operation = reads((item) => {
	const source = item.read('source', 'Source', (value, field) =>
		parseOption(value ?? 'client', field, sources),
	);
	const pathOf = source === 'client' ? async () => PATH : connectorPath(item);
	const extent = { pageSize: item.options.pageSize, limit: limitOf(item) };
	const query = { ...filtersOf(item), orderBy: orderByOf(item) };
	const queries = filterQueries(item, PATH, query, {
		name: 'engagementId',
		field: 'Engagement IDs',
		ids: engagementIdsOf(item, source),
		most: MOST_ENGAGEMENTS,
	});
	const shape = item.outputMapper('upload');
	const callFor = item.caller('GET');
	return async () => {
		const path = await pathOf();
		const calls = queries.map((each) => callFor(path, 'get the uploads', each));
		const uploads = await readLists(item.run.service, calls, upload, { ...extent, shape });
		item.addListHints(uploads.length, extent.limit);
		return uploads;
	};
});

function connectorPath(item: Item): () => Promise<string> {
	const engagementId = engagementOf(item);
	const connectorName = connectorOf(item);
	return async () =>
		path`/v1/engagements/${await engagementId()}/connectors/${await connectorName()}/uploads`;
}

function engagementIdsOf(item: Item, source: 'client' | 'connector'): string[] | undefined {
	const engagementIds = item.readFrom('filters', 'engagementIds', 'Engagement IDs', parseIds);
	if (engagementIds === undefined || source === 'client') return engagementIds?.map(String);
	throw item.refusal(
		new InputError(
			'Engagement IDs cannot be combined with this Source',
			'Remove the filter: Engagement names the one engagement already',
		),
	);
}

function filtersOf(item: Item): Query {
	const { zone } = item.run.service;
	const date = (name: string, label: string) => {
		const entered = item.readFrom('filters', name, label, (value, field) =>
			parseOptionalDate(value, field, item.zone),
		);
		return entered && formatFilterTime(entered.epoch, zone);
	};
	return {
		uploadId: item.readFrom('filters', 'uploadId', 'Upload ID', (value, field) =>
			isEmpty(value) ? undefined : parseUploadId(value, field),
		),
		createdDateFrom: date('createdDateFrom', 'Created From'),
		createdDateTo: date('createdDateTo', 'Created To'),
		completedDateFrom: date('completedDateFrom', 'Completed From'),
		completedDateTo: date('completedDateTo', 'Completed To'),
	};
}
