import type { INodeProperties } from 'n8n-workflow';
import * as create from './create.operation';
import * as getAll from './getAll.operation';

export const operations = { create: create.operation, getAll: getAll.operation };

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['engagement'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create an engagement',
				description: 'Create the record of a customer, for whom uploads can then be started',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many engagements',
				description: 'Get a list of engagements, which are the records of your customers',
			},
		],
		default: 'getAll',
	},
	...create.fields,
	...getAll.fields,
];
