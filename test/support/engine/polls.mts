/** A trigger that polls a simulated service over HTTP, in n8n's own context. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { makeCredential } from '../world/credentials.mts';
import { Poller, type PollerSetup } from './poller.mts';
import type { SimulatedService } from '../service/http.mts';

/** Further options of a poller. */
export type PollerOptions = Partial<PollerSetup>;

/** A trigger that has not been activated yet. */
export function makePoller(
	service: SimulatedService,
	parameters: IDataObject = {},
	options: PollerOptions = {},
): Poller {
	return new Poller({
		credential: makeCredential(service),
		parameters: parameters as INodeParameters,
		...options,
	});
}

/** The upload IDs that a poll emits, in order; empty for none. */
export async function listIds(poller: Poller): Promise<string[]> {
	return ((await poller.poll()) ?? []).map(({ json }) => String(json.uploadId));
}

/** Polls until one emits nothing; returns what each emitted. */
export async function drain(poller: Poller): Promise<string[][]> {
	const polls: string[][] = [];
	for (;;) {
		const ids = await listIds(poller);
		if (ids.length === 0) return polls;
		polls.push(ids);
	}
}
