/** The values that users enter in a credential for the simulated service. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { SimulatedService } from '../service/http.mts';

/** The credential's type name. */
export const CREDENTIAL = 'engagementUploadsApi';

/** What credentials need of a service, which may run in another process or without a socket. */
export interface CredentialTarget {
	url?: string;
	clientId: string;
	subscriptionKey: string;
	accessToken: string;
}

/** A credential with a pasted token that is valid for the service. */
export function makeCredential(
	service: CredentialTarget,
	over: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject {
	return {
		baseUrl: service.url ?? '',
		clientId: service.clientId,
		subscriptionApiKey: service.subscriptionKey,
		authentication: 'accessToken',
		accessToken: service.accessToken,
		timeZone: 'UTC',
		...over,
	};
}

/** A credential that fetches its tokens and client ID from the service. */
export function makeEndpointCredential(
	service: SimulatedService,
	over: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject {
	return {
		baseUrl: service.url,
		clientId: '',
		subscriptionApiKey: service.subscriptionKey,
		authentication: 'tokenEndpoint',
		tokenUrl: service.tokenPath,
		requestFormat: 'form',
		tokenRequestFields: JSON.stringify(service.tokenRequestFields),
		...over,
	};
}

/** The values to enter in a credential for the service, line by line. */
export function credentialValues(service: Required<CredentialTarget>): string[] {
	return [
		`  Base URL          ${service.url}`,
		`  Subscription Key  ${service.subscriptionKey}`,
		'  Authentication    Automatic (Recommended); nothing else to enter',
		'or with Authentication “Access Token (for Testing)”, for 30 minutes:',
		`  Access Token      ${service.accessToken}`,
		`  Client ID         ${service.clientId}`,
	];
}
