/** Node.js' own client, without n8n: what reading a list costs at least. */
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { IDataObject } from 'n8n-workflow';

import type { Contender } from './nodes.mts';

/** The default of Page Size. */
export const PAGE_SIZE = 500;

/** Reads and parses so many pages of uploads, as many at once as this package reads. */
export function readPages(count: number): Contender {
	return ({ url = '', clientId, accessToken, subscriptionKey }) => {
		const headers = {
			Authorization: `Bearer ${accessToken}`,
			'Ocp-Apim-Subscription-Key': subscriptionKey,
		};
		return async () => {
			const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
			const read = async (_: unknown, page: number): Promise<IDataObject> => {
				const query = `size=${PAGE_SIZE}&page=${page}`;
				const address = `${url}/v1/clients/${clientId}/uploads?${query}`;
				const request = http.get(address, { agent, headers });
				const [response] = (await once(request, 'response')) as [http.IncomingMessage];
				return JSON.parse(await text(response)) as IDataObject;
			};
			const pages = await Promise.all(Array.from({ length: count }, read));
			agent.destroy();
			return pages;
		};
	};
}
