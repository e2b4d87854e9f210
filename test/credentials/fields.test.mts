import { NodeHelpers } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { credentialValues } from '../support/world/credentials.mts';

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

it('npm start names the choices of Authentication as the form does', () => {
	const { properties } = new EngagementUploadsApi();
	const { options = [] } = properties.find(({ name }) => name === 'authentication') ?? {};
	const names = options.map(({ name }) => name);
	const values = { url: '', subscriptionKey: '', accessToken: '', clientId: '' };
	const printed = credentialValues(values).join('\n');
	expect(names).toHaveLength(2);
	expect(names.filter((name) => !printed.includes(name))).toEqual([]);
});
