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
				action: 'Get the company details of an engagement',
				description:
					'Get the name, address, tax numbers and currency that the accounting package has stored',
			},
		],
		default: 'get',
	},
	...get.fields,
];
