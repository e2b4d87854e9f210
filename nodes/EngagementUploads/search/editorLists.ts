/** What the searchable lists of the editor share. */
import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';
import { systemClock } from '../transport/http/pool';

const PARALLEL = 8;
/** All in milliseconds: a user is looking at the list, and should know within a minute what is wrong. */
const TIMEOUT = 20_000;
const MAX_TIME = 50_000;
const { compare } = new Intl.Collator('en', { numeric: true });

/** The service, for a list in the editor. */
export async function openForSearch(context: ILoadOptionsFunctions): Promise<ServiceClient> {
	const deadline = systemClock.now() + MAX_TIME;
	return await ServiceClient.open(context, { parallel: PARALLEL, timeout: TIMEOUT, deadline });
}

/** Sorts entries by what the list shows. */
export function sorted<T extends INodeListSearchItems>(entries: T[]): T[] {
	return entries.sort((one, other) => compare(one.name, other.name));
}
