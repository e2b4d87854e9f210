import type { INodeProperties } from 'n8n-workflow';
import * as get from './get.operation';

export const operations = { get: get.operation };

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['company'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get company details',
				description: 'Get what the accounting package knows of the company',
			},
		],
		default: 'get',
	},
	...get.fields,
];
