/** The credential. Its test is nodes/EngagementUploads/credentialTest.ts. */
import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';
import { authenticate } from '../nodes/EngagementUploads/transport/authenticate';
import { renewToken } from '../nodes/EngagementUploads/transport/token';

export class EngagementUploadsApi implements ICredentialType {
	name = 'engagementUploadsApi';

	displayName = 'Engagement Uploads API';

	icon = {
		light: 'file:../nodes/EngagementUploads/engagementUploads.svg',
		dark: 'file:../nodes/EngagementUploads/engagementUploads.dark.svg',
	} as const;

	documentationUrl = 'https://github.com/engagement-uploads/n8n-nodes-engagement-uploads#connect';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service, without a path. Must start with https://, unless the service runs on the same computer as n8n.',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
			displayOptions: { show: { authentication: ['accessToken'] } },
			description:
				'ID of your account with the service. The token endpoint returns it as clientId, along with the access token.',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'ID of your account with the service. Leave empty if the token endpoint returns it as clientId, along with the access token.',
		},
		{
			displayName: 'Subscription Key',
			name: 'subscriptionApiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				"Key from the service's administration area, sent with every request as Ocp-Apim-Subscription-Key",
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: 'UTC',
			placeholder: 'e.g. Europe/London',
			description:
				"The service's time zone, for dates that it sends without one. Change it if dates or date filters are off by hours.",
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'Access Token',
					value: 'accessToken',
					description: 'Paste a token for testing. It expires after about 30 minutes.',
				},
				{
					name: 'Token Endpoint',
					value: 'tokenEndpoint',
					description:
						'Let n8n fetch tokens and renew them when they expire. Required for triggers and scheduled workflows.',
				},
			],
			default: 'accessToken',
			description: 'How n8n gets the access token that every request needs',
		},
		{
			displayName:
				'A pasted token expires after about 30 minutes. For triggers and scheduled workflows, set Authentication to Token Endpoint.',
			name: 'pastedNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { authentication: ['accessToken'] } },
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			displayOptions: { show: { authentication: ['accessToken'] } },
			description: 'A token that you fetched from the service, with or without the prefix “Bearer”',
		},
		{
			displayName: 'Token URL',
			name: 'tokenUrl',
			type: 'string',
			default: '/v1/oauth/token',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'Where n8n fetches tokens: a path relative to the Base URL, or a full address on the same host. Change it only if the service gave you another one.',
		},
		{
			displayName: 'Request Format',
			name: 'requestFormat',
			type: 'options',
			options: [
				{
					name: 'Form',
					value: 'form',
					description: 'As form fields, the usual choice',
				},
				{ name: 'JSON', value: 'json', description: 'As a JSON object' },
			],
			default: 'form',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'How n8n sends the Token Request Fields. Keep Form unless the service requires JSON.',
		},
		{
			displayName: 'Token Request Fields',
			name: 'tokenRequestFields',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '{"grant_type": "", "key": ""}',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'Fields of the token request, as a JSON object. Replace the template with the grant type and key you were given.',
			hint: 'The hidden template is {"grant_type": "", "key": ""}. Replace all of it, e.g. with {"grant_type": "api_key", "key": "1a2b3c4d"}.',
		},
		{
			displayName: 'Session Token',
			name: 'sessionToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		{
			displayName: 'Session Client ID',
			name: 'sessionClientId',
			type: 'hidden',
			default: '',
		},
	];

	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		if (credentials.authentication !== 'tokenEndpoint') return {};
		return { ...(await renewToken(this.helpers, credentials)) };
	}

	authenticate: IAuthenticate = async (credentials, options) => authenticate(credentials, options);
}
