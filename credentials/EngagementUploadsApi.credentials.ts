/** The credential. Its test is nodes/EngagementUploads/service/credentialTest.ts. */
import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';
import { parseCredential, toSession } from '../nodes/EngagementUploads/transport/credential';
import { authenticate } from '../nodes/EngagementUploads/transport/exchange';
import { renewToken } from '../nodes/EngagementUploads/transport/token';

export class EngagementUploadsApi implements ICredentialType {
	name = 'engagementUploadsApi';
	displayName = 'Engagement Uploads API';

	icon = {
		light: 'file:../nodes/EngagementUploads/engagementUploads.svg',
		dark: 'file:../nodes/EngagementUploads/engagementUploads.dark.svg',
	} as const;

	documentationUrl = 'https://github.com/engagement-uploads/n8n-nodes-engagement-uploads#connect';

	/** Each name occurs once, since n8n's form shows and saves only the first field with a given name. */
	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				"The part of the API's address before /v1. Must start with https://, unless the service runs on the same computer as n8n.",
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
			hint: 'You rarely need to change anything below',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'Automatic (Recommended)',
					value: 'tokenEndpoint',
					description: 'n8n fetches access tokens and renews them',
				},
				{
					name: 'Access Token (for Testing)',
					value: 'accessToken',
					description: 'Paste a token; n8n cannot renew it',
				},
			],
			default: 'tokenEndpoint',
			description: 'How n8n gets the access token that every request needs',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			displayOptions: { show: { authentication: ['accessToken'] } },
			description: 'A token that the service issued, with or without the prefix “Bearer”',
		},
		{
			displayName: 'Token URL',
			name: 'tokenUrl',
			type: 'string',
			default: '/v1/oauth/token',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'Where n8n fetches tokens: a path relative to the Base URL, or a full address on the same host',
		},
		{
			displayName: 'Token Request Format',
			name: 'requestFormat',
			type: 'options',
			options: [
				{ name: 'Form', value: 'form', description: 'Form fields (usual)' },
				{ name: 'JSON', value: 'json', description: 'As a JSON object' },
			],
			default: 'form',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description: 'How n8n sends the token request',
		},
		{
			displayName: 'Token Request Fields',
			name: 'tokenRequestFields',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. {"grant_type": "…", "key": "…"}',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'Fields of the token request as a JSON object, if the service gave you a different grant type or key. If empty, n8n sends the grant type vapi_key and the Subscription Key.',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
			description:
				'ID of your account with the service. A value entered here takes precedence over the one that comes with a fetched token.',
			hint: 'Optional if the token response includes it',
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: 'UTC',
			placeholder: 'e.g. Europe/London',
			description:
				"The service's time zone, for dates without one. Change it if dates or date filters are off by hours.",
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
		const credential = parseCredential(credentials);
		const fetched = await renewToken(this.helpers, credential);
		// For an empty object, n8n stores nothing, and repeats the request unchanged.
		return fetched === undefined ? {} : toSession(credential, fetched);
	}

	authenticate: IAuthenticate = async (credentials, options) =>
		authenticate(parseCredential(credentials), options);
}
