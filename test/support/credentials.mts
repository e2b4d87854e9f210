/** What users enter in a credential for the simulated service. */
import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from './service/http.mts';

/** The credential's type name. */
export const CREDENTIAL = 'engagementUploadsApi';

/** A credential with a pasted token that is valid for the service. */
export function credentialOf(service: SimulatedService, over: IDataObject = {}): IDataObject {
	return {
		baseUrl: service.url,
		clientId: service.clientId,
		subscriptionApiKey: service.subscriptionKey,
		authentication: 'accessToken',
		accessToken: service.accessToken,
		timeZone: 'UTC',
		...over,
	};
}

/** A credential that fetches its tokens and client ID from the service. */
export function endpointCredentialOf(
	service: SimulatedService,
	over: IDataObject = {},
): IDataObject {
	return {
		baseUrl: service.url,
		clientId: '',
		subscriptionApiKey: service.subscriptionKey,
		authentication: 'tokenEndpoint',
		tokenUrl: '/v1/oauth/token',
		requestFormat: 'form',
		tokenRequestFields: JSON.stringify(service.tokenRequestFields),
		...over,
	};
}
