import type { INodeProperties } from 'n8n-workflow';
import * as run from './run.operation';
import * as schedule from './schedule.operation';

export const operations = { run: run.operation, schedule: schedule.operation };

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['dataRefresh'] } },
		options: [
			{
				name: 'Run',
				value: 'run',
				action: 'Run a data refresh',
				description: 'Pull data from an online accounting package without the customer',
			},
			{
				name: 'Schedule',
				value: 'schedule',
				action: 'Schedule data refreshes',
				description: 'Set how often data is refreshed by itself',
			},
		],
		default: 'run',
	},
	...run.fields,
	...schedule.fields,
];
