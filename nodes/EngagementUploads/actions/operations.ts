/** All operations, and the parameters of the node. A new operation is a file and a line here. */
import type { INodeProperties } from 'n8n-workflow';
import { getCompany } from './company/get.operation';
import { getManyConnectors } from './connector/getAll.operation';
import { runRefresh } from './dataRefresh/run.operation';
import { scheduleRefreshes } from './dataRefresh/schedule.operation';
import { createEngagement } from './engagement/create.operation';
import { getEngagement } from './engagement/get.operation';
import { getManyEngagements } from './engagement/getAll.operation';
import { getDataStatus } from './engagement/getStatus.operation';
import { toProperties } from '../fields/field';
import type { Operation } from './operation';
import { getManyPeriods } from './period/getAll.operation';
import { getUpload } from './upload/get.operation';
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
	getEngagement,
	getDataStatus,
	getManyEngagements,
	getManyPeriods,
	getUpload,
	getLastUpload,
	getManyUploads,
	getUploadWorkflow,
	startUpload,
	getManyUsers,
];

const resources = [...new Set(operations.map(({ resource }) => resource))];

/** All parameters of the node: Resource, Operation for each resource, and the fields of each operation. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map((value) => ({ name: toLabel(value), value })),
		default: 'upload',
	},
	...resources.map(operationList),
	...operations.flatMap(toParameters),
];

/** `dataRefresh` → “Data Refresh” */
function toLabel(resource: string): string {
	const words = resource.replace(/[A-Z]/g, ' $&');
	return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function operationList(resource: string): INodeProperties {
	const entries = operations.filter((each) => each.resource === resource);
	const preferred = entries.find(({ operation }) => operation === 'getAll') ?? entries[0];
	// n8n's linter requires a literal default.
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
function toParameters({ resource, operation, fields }: Operation): INodeProperties[] {
	return toProperties(fields).map(({ displayOptions, ...field }) => ({
		...field,
		displayOptions: {
			...displayOptions,
			show: { ...displayOptions?.show, resource: [resource], operation: [operation] },
		},
	}));
}
