import type { INodeProperties } from 'n8n-workflow';
import * as getAll from './getAll.operation';

export const operations = { getAll: getAll.operation };

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['period'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many periods',
				description: 'Get the financial periods of an engagement',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
];
