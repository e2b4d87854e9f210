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

it('a pasted token is required, and nothing more for a token endpoint', () => {
	expect(requiredWith('accessToken')).toEqual(['Base URL', 'Subscription Key', 'Access Token']);
	expect(requiredWith('tokenEndpoint')).toEqual(['Base URL', 'Subscription Key']);
});

it('no two fields have the same name, since the form would keep what is cleared in one of them', () => {
	const names = properties.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
});

it('what decides which fields are shown comes before them', () => {
	const shown = properties.filter(({ type }) => type !== 'hidden').map(({ name }) => name);
	expect(shown.slice(0, 4)).toEqual([
		'baseUrl',
		'subscriptionApiKey',
		'authentication',
		'accessToken',
	]);
	expect(shown.slice(-2)).toEqual(['clientId', 'timeZone']);
});
