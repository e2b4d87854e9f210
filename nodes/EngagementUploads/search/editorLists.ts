/** What the searchable lists of the editor share. */
import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';

const PARALLEL = 8;
/** milliseconds */
const TIMEOUT = 30_000;
const { compare } = new Intl.Collator('en', { numeric: true });

/** The service, for a list in the editor. */
export async function openForSearch(context: ILoadOptionsFunctions): Promise<ServiceClient> {
	return await ServiceClient.open(context, { parallel: PARALLEL, timeout: TIMEOUT });
}

/** Sorts entries by what the list shows. */
export function sorted<T extends INodeListSearchItems>(entries: T[]): T[] {
	return entries.sort((one, other) => compare(one.name, other.name));
}
