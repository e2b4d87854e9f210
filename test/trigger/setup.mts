/** A trigger that polls a simulated service over HTTP, in n8n's own context. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { createPoller, type Poller } from '../support/engine/poll.mts';
import type { PollerSetup } from '../support/engine/node-poller.mts';
import { typesOf } from '../support/engine/types.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';

/** The credential's type name. */
export const CREDENTIAL = 'engagementUploadsApi';

/** The trigger and its credential. */
export const types = typesOf({
	nodes: { engagementUploadsTrigger: EngagementUploadsTrigger },
	credentials: { [CREDENTIAL]: EngagementUploadsApi },
});

/** A service with its own clock, one connector and one engagement. */
export async function startSmallService(): Promise<SimulatedService> {
	const service = await startService();
	service.model.setClock(Date.UTC(2026, 5, 15, 10));
	service.model.addConnector({ name: 'cloudbooks' });
	service.model.addEngagement({ id: 1 });
	return service;
}

/** A credential with a pasted token that is valid for the service. */
export function credentialOf(service: SimulatedService, over: IDataObject = {}): IDataObject {
	return {
		baseUrl: service.url,
		clientId: service.clientId,
		subscriptionApiKey: service.subscriptionKey,
		authentication: 'accessToken',
		accessToken: service.accessToken,
		timeZone: 'UTC',
		...over,
	};
}

/** A credential that fetches its tokens and client ID from the service. */
export function endpointCredentialOf(service: SimulatedService): IDataObject {
	return {
		baseUrl: service.url,
		clientId: '',
		subscriptionApiKey: service.subscriptionKey,
		authentication: 'tokenEndpoint',
		tokenUrl: '/v1/oauth/token',
		requestFormat: 'form',
		tokenRequestFields: JSON.stringify(service.tokenRequestFields),
	};
}

/** Further options of a poller. */
export type PollerOptions = Partial<PollerSetup> & { credential?: IDataObject };

/** A trigger that has not been activated yet. */
export function pollerOf(
	service: SimulatedService,
	parameters: IDataObject = {},
	{ credential = credentialOf(service), ...setup }: PollerOptions = {},
): Poller {
	return createPoller({
		types,
		credentials: { [CREDENTIAL]: credential },
		parameters: parameters as INodeParameters,
		...setup,
	});
}

/** The upload IDs that a poll emits, in order; empty for none. */
export async function idsOf(poller: Poller): Promise<string[]> {
	return ((await poller.poll()) ?? []).map(({ json }) => String(json.uploadId));
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
