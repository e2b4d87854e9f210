/** All resources with their operations. A new operation is a file beside the others and a line in its index. */
import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from './operation';
import * as company from './company';
import * as connector from './connector';
import * as dataRefresh from './dataRefresh';
import * as engagement from './engagement';
import * as period from './period';
import * as upload from './upload';
import * as user from './user';

export const resources: Record<string, Record<string, Operation>> = {
	company: company.operations,
	connector: connector.operations,
	dataRefresh: dataRefresh.operations,
	engagement: engagement.operations,
	period: period.operations,
	upload: upload.operations,
	user: user.operations,
};

export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Company', value: 'company' },
			{ name: 'Connector', value: 'connector' },
			{ name: 'Data Refresh', value: 'dataRefresh' },
			{ name: 'Engagement', value: 'engagement' },
			{ name: 'Period', value: 'period' },
			{ name: 'Upload', value: 'upload' },
			{ name: 'User', value: 'user' },
		],
		default: 'upload',
	},
	...company.properties,
	...connector.properties,
	...dataRefresh.properties,
	...engagement.properties,
	...period.properties,
	...upload.properties,
	...user.properties,
];
