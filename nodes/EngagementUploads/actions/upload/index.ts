import type { INodeProperties } from 'n8n-workflow';
import * as getAll from './getAll.operation';
import * as getLast from './getLast.operation';
import * as getWorkflow from './getWorkflow.operation';
import * as start from './start.operation';

export const operations = {
	getAll: getAll.operation,
	getLast: getLast.operation,
	getWorkflow: getWorkflow.operation,
	start: start.operation,
};

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['upload'] } },
		options: [
			{
				name: 'Get Last',
				value: 'getLast',
				action: 'Get the last upload of engagements',
				description: 'Get the latest upload of each of some engagements',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many uploads',
				description: 'Get a list of uploads',
			},
			{
				name: 'Get Workflow',
				value: 'getWorkflow',
				action: 'Get the workflow of an upload',
				description: 'Get the steps that an upload goes through',
			},
			{
				name: 'Start',
				value: 'start',
				action: 'Start an upload',
				description: 'Get the address at which the customer uploads data',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
	...getLast.fields,
	...getWorkflow.fields,
	...start.fields,
];
