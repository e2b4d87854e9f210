import type { INodeProperties } from 'n8n-workflow';
import * as getAll from './getAll.operation';

export const operations = { getAll: getAll.operation };

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['connector'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many connectors',
				description: 'Get a list of the accounting packages that data can be taken from',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
];
