import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { textCollections } from './fields/collections';
import { outputFields } from './fields/output';
import { getConnectorNames } from './search/connectors';
import { eventFields, eventSubtitle, optionsField } from './trigger/fields';
import { filtersField } from './trigger/filters';
import { poll } from './trigger/poll';
import { testConnection } from './credentialTest';

export class EngagementUploadsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Engagement Uploads Trigger',
		name: 'engagementUploadsTrigger',
		icon: { light: 'file:engagementUploads.svg', dark: 'file:engagementUploads.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle,
		// n8n shows this for the action node too, where both are listed as one.
		description:
			'Manage engagements and uploads of accounting data, or run a workflow when an upload starts, completes, fails or changes status',
		defaults: { name: 'Engagement Uploads Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'engagementUploadsApi', required: true, testedBy: 'testConnection' }],
		properties: [
			...eventFields,
			filtersField,
			...outputFields('uploadId, uploadStatus, completionDate'),
			optionsField,
			...textCollections([filtersField, optionsField]),
		],
	};

	methods = { credentialTest: { testConnection }, loadOptions: { getConnectorNames } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
