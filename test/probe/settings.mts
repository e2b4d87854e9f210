import {
	bearer,
	parseCredential,
	type Credential,
} from '../../nodes/EngagementUploads/transport/credential.ts';

/** The account to probe. */
export interface ProbeSettings {
	credential: Credential;
	/** A token that is known to have expired; may be empty. */
	expiredToken: string;
}

/** The credential's fields that environment variables give; the first two are required. */
const FIELDS = {
	PROBE_BASE_URL: 'baseUrl',
	PROBE_SUBSCRIPTION_KEY: 'subscriptionApiKey',
	PROBE_TIME_ZONE: 'timeZone',
	PROBE_TOKEN_URL: 'tokenUrl',
	PROBE_TOKEN_FIELDS: 'tokenRequestFields',
	PROBE_ACCESS_TOKEN: 'accessToken',
	PROBE_CLIENT_ID: 'clientId',
};
const REQUIRED = ['PROBE_BASE_URL', 'PROBE_SUBSCRIPTION_KEY'];

/** Reads the account from environment variables. @throws Error that names one and quotes none */
export function readSettings(environment: NodeJS.ProcessEnv): ProbeSettings {
	const read = (name: string) => environment[name]?.trim() ?? '';
	const hasToken = read('PROBE_ACCESS_TOKEN') !== '';
	const required = hasToken ? [...REQUIRED, 'PROBE_CLIENT_ID'] : REQUIRED;
	const missing = required.find((name) => read(name) === '');
	if (missing !== undefined) throw new Error(`${missing} is missing`);
	const data: Record<string, string> = {
		baseUrl: read('PROBE_BASE_URL'),
		subscriptionApiKey: read('PROBE_SUBSCRIPTION_KEY'),
		authentication: hasToken ? 'accessToken' : 'tokenEndpoint',
		accessToken: read('PROBE_ACCESS_TOKEN'),
	};
	for (const [name, field] of Object.entries(FIELDS)) {
		data[field] = read(name);
		try {
			parseCredential(data);
		} catch (error) {
			throw new Error(`${name}: ${error instanceof Error ? error.message : 'invalid'}`);
		}
	}
	return { credential: parseCredential(data), expiredToken: bearer(read('PROBE_EXPIRED_TOKEN')) };
}
