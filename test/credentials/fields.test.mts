import { NodeHelpers } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';

/** The labels that the form marks as required. */
const requiredWith = (authentication: string) =>
	new EngagementUploadsApi().properties
		.filter((property) => NodeHelpers.displayParameter({ authentication }, property, null, null))
		.filter(({ required }) => required === true)
		.map(({ displayName }) => displayName);

it('a pasted token is required, and nothing more for a token endpoint', () => {
	expect(requiredWith('accessToken')).toEqual(['Base URL', 'Subscription Key', 'Access Token']);
	expect(requiredWith('tokenEndpoint')).toEqual(['Base URL', 'Subscription Key']);
});
