import type { IHttpRequestOptions } from 'n8n-workflow';
import {
	authenticate,
	parseCredential,
} from '../../../nodes/EngagementUploads/transport/credential.ts';
import { ServiceClient } from '../../../nodes/EngagementUploads/transport/client.ts';
import type { ServiceContext } from '../../../nodes/EngagementUploads/transport/token.ts';
import type { Clock } from '../../../nodes/EngagementUploads/values/clock.ts';

const BASE_URL = 'https://service.example';
const CREDENTIAL = {
	...{ authentication: 'accessToken', accessToken: 'token', subscriptionApiKey: 'key' },
	...{ baseUrl: BASE_URL, clientId: '1' },
};

/** What a client needs of n8n. */
interface Setup {
	clock: Clock;
	/** What n8n's helper does with a request for a path, once it has a token. */
	send?: (path: string) => Promise<object>;
	/** The same, before it has one, for a credential of which n8n fetches tokens. */
	sendWithToken?: (options: IHttpRequestOptions) => Promise<object>;
	credential?: Record<string, string>;
	/** Cancels the execution. */
	signal?: AbortSignal;
	parallel?: number;
}

/** A client in a node of an n8n that does nothing else. */
export function clientOf({ clock, credential = CREDENTIAL, parallel = 8, ...n8n }: Setup) {
	const sendWithToken = async (options: IHttpRequestOptions) => {
		const { url } = authenticate(parseCredential(credential), options);
		return (await n8n.send?.(url.slice(BASE_URL.length))) ?? {};
	};
	const send = n8n.sendWithToken ?? sendWithToken;
	const context = {
		getNode: () => ({ name: 'Engagement Uploads' }),
		getExecutionCancelSignal: () => n8n.signal,
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				await send(options),
		},
	} as unknown as ServiceContext;
	return new ServiceClient(context, credential, { parallel, timeout: 60_000 }, clock);
}
