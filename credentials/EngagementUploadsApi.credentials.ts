import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { addressOf, serviceBase, withClientId } from '../nodes/EngagementUploads/transport/address';
import { renewToken } from '../nodes/EngagementUploads/transport/token';
import { bearer } from '../nodes/EngagementUploads/transport/tokenRequest';

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
				'Address of the service. Must start with https://, except for a service on this computer.',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
			description:
				'UUID of your instance. May stay empty with a token endpoint that tells it along with the token.',
		},
		{
			displayName: 'Subscription Key',
			name: 'subscriptionApiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'API key from the administration area of the service',
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: 'UTC',
			placeholder: 'e.g. Europe/London',
			description:
				'IANA name of the zone in which the service prints times without an offset, and reads date filters',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'Access Token',
					value: 'accessToken',
					description: 'Paste a token. It lives about 30 minutes, so this is for a try-out.',
				},
				{
					name: 'Token Endpoint',
					value: 'tokenEndpoint',
					description:
						'Let n8n fetch tokens, and new ones when they expire. Needed for triggers and schedules.',
				},
			],
			default: 'accessToken',
			description: 'How n8n gets the access token that every request needs',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			displayOptions: { show: { authentication: ['accessToken'] } },
			description: 'A pasted token stops working after about 30 minutes',
		},
		{
			displayName: 'Token URL',
			name: 'tokenUrl',
			type: 'string',
			default: '/v1/oauth/token',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'Path of the token endpoint below the Base URL, or an absolute address on the same host',
		},
		{
			displayName: 'Request Format',
			name: 'requestFormat',
			type: 'options',
			options: [
				{ name: 'Form', value: 'form' },
				{ name: 'JSON', value: 'json' },
			],
			default: 'form',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description: 'How the fields of the token request are sent',
		},
		{
			displayName: 'Token Request Fields',
			name: 'tokenRequestFields',
			type: 'string',
			typeOptions: { password: true },
			default: '{"grant_type": "", "key": ""}',
			displayOptions: { show: { authentication: ['tokenEndpoint'] } },
			description:
				'JSON object with the fields of the token request. Fill in the grant type and the key that you were given.',
			hint: 'e.g. {"grant_type": "…", "key": "…"}',
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

	/** Completes a request, and refuses one that would take token and key to another host. */
	authenticate: IAuthenticate = async (credentials, options): Promise<IHttpRequestOptions> => {
		const address = addressOf(serviceBase(credentials.baseUrl), options.url);
		return {
			...options,
			baseURL: undefined,
			url: withClientId(address, credentials.clientId || credentials.sessionClientId),
			disableFollowRedirect: true,
			headers: {
				...options.headers,
				Authorization: `Bearer ${tokenOf(credentials)}`,
				'Ocp-Apim-Subscription-Key': subscriptionKeyOf(credentials),
			},
		};
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			url: '/v1/clients/{clientId}/connectors',
		},
	};
}

function tokenOf({
	authentication,
	accessToken,
	sessionToken,
}: ICredentialDataDecryptedObject): string {
	const token = bearer(authentication === 'tokenEndpoint' ? sessionToken : accessToken);
	if (token !== '') return token;
	throw new UserError(
		authentication === 'tokenEndpoint'
			? 'No token was fetched for the credential. Test the credential'
			: 'The credential has no Access Token. Enter one, or set Authentication to Token Endpoint',
	);
}

function subscriptionKeyOf({ subscriptionApiKey }: ICredentialDataDecryptedObject): string {
	const key = String(subscriptionApiKey ?? '').trim();
	if (key === '') throw new UserError('The credential has no Subscription Key');
	return key;
}
