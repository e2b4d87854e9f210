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
				action: 'Get the last upload of each engagement',
				description: 'Get the latest upload of one or more engagements',
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
				action: 'Get the processing steps of an upload',
				description: 'Get the processing steps of an upload, and how far it has come',
			},
			{
				name: 'Start',
				value: 'start',
				action: 'Start an upload and get the link for the customer',
				description: 'Get the link at which the customer shares the data',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
	...getLast.fields,
	...getWorkflow.fields,
	...start.fields,
];
