/** The limit of the computer: the same requests by undici's Pool alone, without n8n. */
import type { IDataObject } from 'n8n-workflow';
import { Pool } from 'undici';

import type { Contender } from './nodes.mts';

/** As many connections as this package sends requests at once. */
const CONNECTIONS = 64;

/** Gets the path for each item, and parses the responses. */
export function pool(toPath: (item: IDataObject, clientId: string) => string): Contender {
	return ({ url = '', clientId, accessToken, subscriptionKey }) => {
		const headers = {
			Authorization: `Bearer ${accessToken}`,
			'Ocp-Apim-Subscription-Key': subscriptionKey,
		};
		return async (items) => {
			const connections = new Pool(url, { connections: CONNECTIONS });
			const bodies = items.map(async (item) => {
				const path = toPath(item, clientId);
				const { body } = await connections.request({ method: 'GET', path, headers });
				return (await body.json()) as IDataObject;
			});
			const records = await Promise.all(bodies);
			await connections.close();
			return records;
		};
	};
}
