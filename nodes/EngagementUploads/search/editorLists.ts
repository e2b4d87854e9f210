/** What the searchable lists of the editor share. */
import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';
import { nodeError } from '../transport/failures/errors';

const PARALLEL = 8;
/** milliseconds */
const TIMEOUT = 30_000;
const { compare } = new Intl.Collator('en', { numeric: true });

/** Reads a list for the editor from the service. @throws n8n's own error */
export async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	read: (client: ServiceClient) => Promise<T>,
): Promise<T> {
	try {
		return await read(await ServiceClient.open(context, { parallel: PARALLEL, timeout: TIMEOUT }));
	} catch (error) {
		throw nodeError(context.getNode(), error);
	}
}

/** Sorts entries by what the list shows. */
export function sorted<T extends INodeListSearchItems>(entries: T[]): T[] {
	return entries.sort((one, other) => compare(one.name, other.name));
}
