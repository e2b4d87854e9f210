import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { outputFields } from './fields/output';
import { filtersField } from './trigger/filters';
import { poll } from './trigger/poll';
import { optionsField, startFields } from './trigger/settings';
import { testConnection } from './credentialTest';

export class EngagementUploadsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Engagement Uploads Trigger',
		name: 'engagementUploadsTrigger',
		icon: { light: 'file:engagementUploads.svg', dark: 'file:engagementUploads.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["startFrom"] === "now" ? "new uploads" : $parameter["startFrom"] === "date" ? "uploads since a date" : "all uploads" }}',
		description: 'Starts the workflow once for each newly completed upload',
		defaults: { name: 'Engagement Uploads Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'engagementUploadsApi', required: true, testedBy: 'testConnection' }],
		properties: [...startFields, filtersField, ...outputFields, optionsField],
	};

	methods = { credentialTest: { testConnection } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
