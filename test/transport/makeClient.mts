import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { ServiceClient } from '../../nodes/EngagementUploads/transport/client.ts';
import { parseCredential, toSession } from '../../nodes/EngagementUploads/transport/credential.ts';
import {
	authenticate,
	type ServiceContext,
} from '../../nodes/EngagementUploads/transport/exchange.ts';
import type { Clock } from '../../nodes/EngagementUploads/values/clock.ts';

const BASE_URL = 'https://service.example';
const PASTED = { authentication: 'accessToken', accessToken: 'token', subscriptionApiKey: 'key' };
const CREDENTIAL = { ...PASTED, baseUrl: BASE_URL, clientId: '1' };
/** A credential that fetches tokens, and has one. */
export const FETCHING: ICredentialDataDecryptedObject = {
	...CREDENTIAL,
	authentication: 'tokenEndpoint',
};
Object.assign(FETCHING, toSession(parseCredential(FETCHING), { token: 'token' }));

/** What a client needs of n8n. */
interface Setup {
	clock: Clock;
	/** What n8n's helper returns for a path, once it has authenticated the request. */
	send?: (path: string) => Promise<object>;
	credential?: ICredentialDataDecryptedObject;
	parallel?: number;
	cancelSignal?: AbortSignal;
}

/** A client in a node of an n8n that does nothing else. */
export function makeClient(setup: Setup): ServiceClient {
	const { clock, send, credential = CREDENTIAL, parallel = 8, cancelSignal } = setup;
	const httpRequestWithAuthentication = async (_: string, options: IHttpRequestOptions) => {
		const { url } = authenticate(parseCredential(credential), options);
		return (await send?.(url.slice(BASE_URL.length))) ?? {};
	};
	const context = {
		getNode: () => ({ name: 'Engagement Uploads' }),
		getExecutionCancelSignal: () => cancelSignal,
		helpers: { httpRequestWithAuthentication },
	} as unknown as ServiceContext;
	return new ServiceClient(context, credential, { parallel, timeout: 60_000 }, clock);
}
