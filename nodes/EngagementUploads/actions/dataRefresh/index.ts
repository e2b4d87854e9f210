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
				action: 'Refresh the data of an engagement',
				description:
					'Get new data from an online accounting package, without the customer doing anything',
			},
			{
				name: 'Schedule',
				value: 'schedule',
				action: 'Schedule the data refreshes of an engagement',
				description: 'Set how often the service refreshes the data by itself, or stop that',
			},
		],
		default: 'run',
	},
	...run.fields,
	...schedule.fields,
];
