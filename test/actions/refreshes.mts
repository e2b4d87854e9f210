import type { IDataObject } from 'n8n-workflow';

import type { NodeResult } from '../support/engine/nodeRun.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { itemsFrom } from '../support/engine/runs.mts';

/**
 * A service with 200 engagements and two connectors, on which a refresh takes a tenth of a second.
 */
export async function refreshable(): Promise<SimulatedService> {
	const service = await startService({ settings: { uploadDurationMs: 100 } });
	const { model } = service;
	model.addConnector({ id: '1', name: 'cloudbooks' });
	model.addConnector({ id: '2', name: 'otherbooks' });
	for (const { id } of itemsFrom(1, 200)) {
		model.addEngagement({ id, externalEngagementId: `E${id}` });
		model.refreshOutcomes.set(id, 'completes');
	}
	return service;
}

/** Data Refresh > Run for the item's engagement, with Wait for Completion. */
export const refresh = (over: IDataObject = {}): IDataObject => ({
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: '={{ $json.id }}',
	connectorName: 'cloudbooks',
	waitForCompletion: true,
	...over,
});

/** The input of a run with one item. */
export const one = [{ id: 1 }];

/** The requests for lists of uploads. */
export const findListRequests = ({ requests }: SimulatedService) =>
	requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/uploads'));

/** The refreshes that were sent. */
export const sentRefreshes = ({ requests }: SimulatedService) =>
	requests.filter(({ method }) => method === 'POST');

/** The uploads that items return, by ID; throws the node's error, without which there are none. */
export function pickUploads({ items, error }: NodeResult): unknown[] {
	if (error !== undefined) throw error;
	return items.map(({ json }) => (json.upload as IDataObject | undefined)?.uploadId);
}

/** The service's uploads, in the order in which they were started. */
export const uploadIds = ({ model }: SimulatedService) =>
	model.uploads.all.map(({ uploadId }) => uploadId);

/** Changes each list of uploads, or of last uploads, before it is sent. */
export function changeLists(
	service: SimulatedService,
	change: (uploads: IDataObject[]) => void,
): void {
	const handle = service.handle.bind(service);
	service.handle = (request) => {
		const outcome = structuredClone(handle(request));
		const { content } = Object(outcome.response?.body) as { content?: IDataObject[] };
		if (/uploads$/i.test(request.path) && content !== undefined) change(content);
		return outcome;
	};
}
