/** A trigger that polls a simulated service over HTTP, in n8n's own context. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CREDENTIAL, credentialOf } from './credentials.mts';
import { createPoller, type Poller } from './engine/poll.mts';
import type { PollerSetup } from './engine/node-poller.mts';
import { useService } from './runs.mts';
import { startService, type SimulatedService } from './service/http.mts';
import type { CompletedUpload } from './service/records.mts';

/** Gives each test a service with its own clock, one connector and one engagement. */
export function useSmallService(begin: (service: SimulatedService) => void): void {
	useService(beforeEach, async () => {
		// Uploads stay in progress until a test changes them.
		const service = await startService({ settings: { uploadDurationMs: Infinity } });
		service.model.setClock(Date.UTC(2026, 5, 15, 10));
		service.model.addConnector({ name: 'cloudbooks' });
		service.model.addEngagement({ id: 1, name: 'Company 1' });
		begin(service);
		return service;
	});
	afterEach(() => jest.restoreAllMocks());
}

/** Adds an upload that completed this many minutes ago; returns its ID. */
export function completeUpload(
	{ model }: SimulatedService,
	minutesAgo = 0,
	given: CompletedUpload = {},
): string {
	const completedAt = model.now - minutesAgo * 60_000;
	return model.addCompletedUpload({ completedAt, ...given }).uploadId;
}

/** Adds an upload that started this many minutes ago; returns its ID. */
export function startUpload(
	{ model }: SimulatedService,
	minutesAgo = 0,
	connectorName = 'cloudbooks',
): string {
	const { uploadId } = model.startUpload(1, connectorName);
	model.updateUpload(uploadId, { createdAt: model.now - minutesAgo * 60_000 });
	return uploadId;
}

/** In memory mode and in durable polling mode (docs/how-the-trigger-works.md). */
export const modes = [{ durable: false }, { durable: true }];

/** Further options of a poller. */
export type PollerOptions = Partial<PollerSetup> & { credential?: IDataObject };

/** A trigger that has not been activated yet. */
export function pollerOf(
	service: SimulatedService,
	parameters: IDataObject = {},
	{ credential = credentialOf(service), ...setup }: PollerOptions = {},
): Poller {
	return createPoller({
		credentials: { [CREDENTIAL]: credential },
		parameters: parameters as INodeParameters,
		...setup,
	});
}

/** The upload IDs that a poll emits, in order; empty for none. */
export async function idsOf(poller: Poller): Promise<string[]> {
	return ((await poller.poll()) ?? []).map(({ json }) => String(json.uploadId));
}

/** The previous and current status of each upload that a poll emits. */
export async function changesOf(poller: Poller): Promise<unknown[][]> {
	const items = (await poller.poll()) ?? [];
	return items.map(({ json }) => [json.uploadId, json.previousStatus, json.uploadStatus]);
}

/** Polls until one emits nothing; returns what each emitted. */
export async function drain(poller: Poller): Promise<string[][]> {
	const polls: string[][] = [];
	for (;;) {
		const ids = await idsOf(poller);
		if (ids.length === 0) return polls;
		polls.push(ids);
	}
}
