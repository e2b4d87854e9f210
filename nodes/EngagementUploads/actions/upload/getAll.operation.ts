/** Upload > Get Many (docs/service.md#uploads), for all engagements, or for one and a connector. */
import * as api from '../../service/endpoints';
import type { Connector } from '../../service/records';
import type { Upload } from '../../service/uploadRecords';
import { readOutcome, readStatus } from '../../service/uploadStatus';
import { connector, engagement } from '../../fields/locators';
import { choice, date, dependent, filterCollection, text, type Field } from '../../fields/field';
import {
	connectorNames,
	engagementIds,
	externalEngagementIds,
	fieldMatcher,
	otherNames,
	outcomes,
	uploadStatuses,
	uploadTypes,
} from '../../fields/filters';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { sortablePaging } from '../../fields/paging';
import { sort } from '../../fields/sort';
import { namesInUploads } from '../../lookups/connectors';
import type { ServiceClient } from '../../transport/client';
import type { Call, Query } from '../../transport/request';
import { formatFilterTime, parseOptionalDate, parseOptionalEnd } from '../../values/dates';
import { parseUploadId } from '../../values/ids';
import { InputError, quote } from '../../values/inputError';
import type { ItemOf } from '../item';
import { splitFilter, unfoundIds, withChecks, type FieldCheck } from '../listing';
import { defineOperation } from '../operation';
import type { Run } from '../run';

const ofConnector = <T>({ property, parse }: Field<T>) =>
	dependent(
		{ show: { source: ['connector'] } },
		{ property: { ...property, required: false }, parse },
	);

const from = (event: string) =>
	date(
		`${event} From`,
		`Only uploads ${event.toLowerCase()} after this time. For the last week, use the expression {{ $now.minus({ days: 7 }) }}.`,
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
		uploadTypes,
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

type UploadsItem = ItemOf<typeof fields>;

export const getManyUploads = defineOperation({
	resource: 'upload',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many uploads',
	description: 'Get a list of uploads',
	fields,
	check({ source, filters }) {
		assertPeriod('Completed', filters.completedDateFrom, filters.completedDateTo);
		assertPeriod('Created', filters.createdDateFrom, filters.createdDateTo);
		if (source === 'client' || filters.engagementIds === undefined) return;
		throw new InputError(
			'Engagement IDs cannot be combined with this Source',
			'Remove the filter, since Engagement already selects the engagement',
		);
	},
	kind: 'upload',
	async list(item, run) {
		const { client } = run;
		const { filters } = item.values;
		const { displayName: label } = connectorNames.property;
		const connectors =
			filters.connectorNames &&
			namesInUploads(await run.connectors(), filters.connectorNames, label);
		const accepted = {
			connectorName: connectors,
			externalEngagementId: filters.externalEngagementIds,
			uploadStatus: filters.uploadStatuses,
			uploadType: filters.uploadTypes,
		};
		const requests = requestsFor(item, client);
		const wanted = [filters.outcomes, ...Object.values(accepted)];
		if (wanted.every((values) => values === undefined)) return { requests };
		const hasAccepted = fieldMatcher(accepted);
		const matches = (upload: Upload) => {
			if (!hasAccepted({ ...upload, uploadStatus: readStatus(upload) })) return false;
			if (filters.outcomes === undefined) return true;
			run.noteStatus(upload);
			return filters.outcomes.includes(readOutcome(upload, client.zone));
		};
		const { connectorNames: names, externalEngagementIds: ids } = filters;
		return withChecks(
			{ requests, matches },
			names && otherConnectors(await run.connectors(), run),
			ids && unfoundIds(ids, run.hints),
		);
	},
});

/** Names the connectors of uploads in a hint, if none of them is the name of a connector. */
function otherConnectors(connectors: Connector[], { client, hints }: Run): FieldCheck {
	return {
		field: 'connectorName',
		atEnd(names) {
			for (const name of otherNames(names, connectors))
				hints.add('otherConnectors', quote(client.toSafeText(name)));
		},
	};
}

/** @throws InputError if a period ends before it begins, so that no upload could match */
function assertPeriod(event: string, start?: { epoch: number }, end?: { epoch: number }): void {
	if (start === undefined || end === undefined || start.epoch <= end.epoch) return;
	throw new InputError(
		`${event} To is before ${event} From`,
		`Change ${event} From or ${event} To`,
	);
}

function requestsFor(item: UploadsItem, client: ServiceClient): Array<Call<Upload>> {
	const { engagementId, connectorName, filters } = item.values;
	const query = toQuery(item, client.zone);
	if (engagementId !== undefined && connectorName !== undefined)
		return [item.request(api.listConnectorUploads(engagementId, connectorName, query))];
	return splitFilter(item, api.listUploads, {
		name: 'engagementId',
		label: engagementIds.property.displayName,
		ids: filters.engagementIds,
		maxIds: api.MAX_ENGAGEMENT_IDS,
		query,
	});
}

function toQuery({ values: { filters, sort: orderBy } }: UploadsItem, zone: string): Query {
	const time = (entered: { epoch: number } | undefined) =>
		entered && formatFilterTime(entered.epoch, zone);
	return {
		uploadId: filters.uploadId,
		createdDateFrom: time(filters.createdDateFrom),
		createdDateTo: time(filters.createdDateTo),
		completedDateFrom: time(filters.completedDateFrom),
		completedDateTo: time(filters.completedDateTo),
		orderBy,
	};
}
