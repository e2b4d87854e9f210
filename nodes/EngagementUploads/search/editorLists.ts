/** What the searchable lists of the editor share. */
import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';
import { nodeError } from '../transport/errors';
import { systemClock } from '../values/clock';

const PARALLEL = 8;
/** All in milliseconds: a user is looking at the list, and should know within a minute what is wrong. */
const TIMEOUT = 20_000;
const MAX_TIME = 50_000;
const { compare } = new Intl.Collator('en', { numeric: true });

/** Reads a list for the editor from the service. @throws n8n's own error */
export async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	read: (client: ServiceClient) => Promise<T>,
): Promise<T> {
	const deadline = systemClock.now() + MAX_TIME;
	const options = { parallel: PARALLEL, timeout: TIMEOUT, deadline };
	try {
		return await read(await ServiceClient.open(context, options));
	} catch (error) {
		throw nodeError(context.getNode(), error);
	}
}

/** Sorts entries by what the list shows. */
export function sorted<T extends INodeListSearchItems>(entries: T[]): T[] {
	return entries.sort((one, other) => compare(one.name, other.name));
}
