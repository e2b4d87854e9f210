import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { getConnectorNames } from './lookups/editorLists';
import { builderHint, triggerPanel } from './trigger/editorTexts';
import { poll } from './trigger/poll';
import { eventSubtitle, triggerProperties } from './trigger/settings';
import { testConnection } from './service/credentialTest';

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
			'Manage engagements and uploads of accounting data, or run a workflow when an upload completes, fails, gets stuck or changes status',
		defaults: { name: 'Engagement Uploads Trigger' },
		polling: true,
		triggerPanel,
		builderHint,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'engagementUploadsApi', required: true, testedBy: 'testConnection' }],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testConnection }, loadOptions: { getConnectorNames } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
