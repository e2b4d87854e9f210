import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { builderHint, subtitle } from './actions/editorTexts';
import { properties } from './actions/operations';
import { route } from './actions/router';
import { testConnection } from './service/credentialTest';
import {
	getConnectorNames,
	searchConnectors,
	searchEngagements,
	searchRefreshableConnectors,
} from './lookups/editorLists';

export class EngagementUploads implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Engagement Uploads',
		name: 'engagementUploads',
		icon: { light: 'file:engagementUploads.svg', dark: 'file:engagementUploads.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle,
		description:
			"Manage customers' engagements, uploads of their accounting data, and data refreshes",
		defaults: { name: 'Engagement Uploads' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint,
		credentials: [{ name: 'engagementUploadsApi', required: true, testedBy: 'testConnection' }],
		properties,
	};

	methods = {
		credentialTest: { testConnection },
		loadOptions: { getConnectorNames },
		listSearch: { searchConnectors, searchEngagements, searchRefreshableConnectors },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await route(this);
	}
}
