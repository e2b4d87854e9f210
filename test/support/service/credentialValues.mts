import type { SimulatedService } from './http.mts';

/** The values to enter in a credential for the service, line by line. */
export function credentialValues(service: SimulatedService): string[] {
	return [
		`  Base URL              ${service.url}`,
		`  Client ID             ${service.clientId}`,
		`  Subscription Key      ${service.subscriptionKey}`,
		`  Access Token          ${service.accessToken}`,
		'                        (valid for 30 minutes), or with the token endpoint:',
		`  Token URL             ${service.settings.tokenPath}`,
		`  Token Request Fields  ${JSON.stringify(service.tokenRequestFields)}`,
	];
}
