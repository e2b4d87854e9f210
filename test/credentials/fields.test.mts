import { NodeHelpers, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';

const { properties } = new EngagementUploadsApi();

/** The labels that the form marks as required. */
function requiredWith(authentication: string): string[] {
	const entered: ICredentialDataDecryptedObject = { authentication };
	return properties
		.filter((property) => NodeHelpers.displayParameter(entered, property, null, null))
		.filter(({ required }) => required)
		.map(({ displayName }) => displayName);
}

it('with a pasted token, Client ID and Access Token are required', () => {
	expect(requiredWith('accessToken')).toEqual([
		'Base URL',
		'Client ID',
		'Subscription Key',
		'Access Token',
	]);
});

it('with a token endpoint, which may return it, Client ID is not', () => {
	expect(requiredWith('tokenEndpoint')).toEqual([
		'Base URL',
		'Subscription Key',
		'Token Request Fields',
	]);
});
