/** All operations. A new one is a file next to the others and a line here. */
import type { INodeProperties } from 'n8n-workflow';
import { getCompany } from './company/get.operation';
import { getManyConnectors } from './connector/getAll.operation';
import { runRefresh } from './dataRefresh/run.operation';
import { scheduleRefreshes } from './dataRefresh/schedule.operation';
import { createEngagement } from './engagement/create.operation';
import { getManyEngagements } from './engagement/getAll.operation';
import { textCollections } from '../fields/collections';
import type { Operation } from './operation';
import { getManyPeriods } from './period/getAll.operation';
import { getLastUpload } from './upload/getLast.operation';
import { getManyUploads } from './upload/getAll.operation';
import { getUploadWorkflow } from './upload/getWorkflow.operation';
import { startUpload } from './upload/start.operation';
import { getManyUsers } from './user/getAll.operation';

export const operations: readonly Operation[] = [
	getCompany,
	getManyConnectors,
	runRefresh,
	scheduleRefreshes,
	createEngagement,
	getManyEngagements,
	getManyPeriods,
	getLastUpload,
	getManyUploads,
	getUploadWorkflow,
	startUpload,
	getManyUsers,
];

const resources = [
	{ name: 'Company', value: 'company' },
	{ name: 'Connector', value: 'connector' },
	{ name: 'Data Refresh', value: 'dataRefresh' },
	{ name: 'Engagement', value: 'engagement' },
	{ name: 'Period', value: 'period' },
	{ name: 'Upload', value: 'upload' },
	{ name: 'User', value: 'user' },
];

/**
 * All parameters of the node: Resource, an Operation list for each, and the fields of each
 * operation.
 */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources,
		default: 'upload',
	},
	...resources.map(({ value }) => operationList(value)),
	...operations.flatMap(fieldsOf),
	...textCollections(operations.flatMap(({ fields }) => fields)),
];

function operationList(resource: string): INodeProperties {
	const entries = operations.filter((each) => each.resource === resource);
	const preferred = entries.find(({ operation }) => operation === 'getAll') ?? entries[0];
	// n8n's lint rules require a literal default.
	const list: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: entries.map(({ name, operation, action, description }) => ({
			name,
			value: operation,
			action,
			description,
		})),
		default: 'getAll',
	};
	return { ...list, default: preferred?.operation ?? list.default };
}

/** The fields of an operation, shown for it only. */
function fieldsOf({ resource, operation, fields }: Operation): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, resource: [resource], operation: [operation] },
		},
	}));
}
