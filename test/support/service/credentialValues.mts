type Values = Record<'url' | 'subscriptionKey' | 'accessToken' | 'clientId', string>;

/** The values to enter in a credential for the service, line by line. */
export function credentialValues(service: Values): string[] {
	return [
		`  Base URL          ${service.url}`,
		`  Subscription Key  ${service.subscriptionKey}`,
		'  Authentication    Subscription Key (Recommended); nothing else to enter',
		'or with Authentication “Access Token (for Testing)”, for 30 minutes:',
		`  Access Token      ${service.accessToken}`,
		`  Client ID         ${service.clientId}`,
	];
}
