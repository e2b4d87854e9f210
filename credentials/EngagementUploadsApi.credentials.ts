/** The credential; nodes/EngagementUploads/transport/credentialTest.ts tests it. */
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
			default: '',
			placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
			description:
				'ID of your account with the service (not of n8n). It comes along with the access token. May stay empty with Token Endpoint when the service sends it with each token.',
		},
		{
			displayName: 'Subscription Key',
			name: 'subscriptionApiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'API key of your account, from the administration area of the service',
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: 'UTC',
			placeholder: 'e.g. Europe/London',
			description:
				'Time zone of the service, for dates that name none. If dates come out some hours off, or date filters miss by some hours, enter the zone of the service here.',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'Access Token',
					value: 'accessToken',
					description: 'Paste a token, for a try-out: it stops working after about 30 minutes',
				},
				{
					name: 'Token Endpoint',
					value: 'tokenEndpoint',
					description:
						'Let n8n fetch tokens, and new ones when they expire. Needed for triggers and scheduled workflows.',
				},
			],
			default: 'accessToken',
			description: 'How n8n gets the access token that every request needs',
		},
		{
			displayName:
				'A pasted token stops working after about 30 minutes. For triggers and scheduled workflows, set Authentication to Token Endpoint.',
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
			default: '',
			displayOptions: { show: { authentication: ['accessToken'] } },
			description:
				'A token that you fetched from the service yourself, with or without “Bearer” in front',
		},
		{
			displayName: 'Token URL',
			name: 'tokenUrl',
			type: 'string',
			default: '/v1/oauth/token',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'Where n8n fetches tokens: a path below the Base URL, or a full address on the same host. Keep it unless the service told you another.',
		},
		{
			displayName: 'Request Format',
			name: 'requestFormat',
			type: 'options',
			options: [
				{
					name: 'Form',
					value: 'form',
					description: 'As a web form sends its fields; the usual choice',
				},
				{ name: 'JSON', value: 'json', description: 'As a JSON document' },
			],
			default: 'form',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'How n8n sends the Token Request Fields. Keep Form unless the service asks for JSON.',
		},
		{
			displayName: 'Token Request Fields',
			name: 'tokenRequestFields',
			type: 'string',
			typeOptions: { password: true },
			default: '{"grant_type": "", "key": ""}',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'What the service asks for before it hands out a token: names and values in JSON. Replace all that is in the field, which is a template to fill in, by the grant type and the key that you were given.',
			hint: 'e.g. {"grant_type": "api_key", "key": "1a2b3c4d"}',
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
