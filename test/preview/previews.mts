import { createPoller } from '../support/engine/poll.mts';
import { runNode } from '../support/engine/run.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { schemaOf, type Schema } from './schema.mts';

/** Where the editor looks for previews; the folder is named after the version of the nodes. */
export const FOLDER = 'nodes/EngagementUploads/__schema__';
const VERSION = 'v1.0.0';

/** Parameters with which each operation returns every kind of record that it can. */
function examples(service: SimulatedService): Record<string, Record<string, object>> {
	const engagementId = 1001;
	const upload = service.model.lastUpload(engagementId);
	const connectorName = 'fernbooks';
	return {
		company: { get: { engagementId } },
		connector: { getAll: { returnAll: true } },
		dataRefresh: {
			run: { engagementId, connectorName },
			schedule: { engagementId, scheduleFrequency: '2', scheduleStartDate: '2026-12-01' },
		},
		engagement: { create: { name: 'Northgate Bakery Ltd' }, getAll: { returnAll: true } },
		period: { getAll: { engagementId, returnAll: true } },
		upload: {
			getAll: { returnAll: true },
			getLast: { engagementIds: '1001, 1002, 1003' },
			getWorkflow: { engagementId, uploadId: upload?.uploadId },
			start: { engagementId, connectorName },
		},
		user: { getAll: { returnAll: true } },
	};
}

/** Output previews by file name, derived from what the nodes return for the simulated service. */
export async function derivePreviews(): Promise<Map<string, Schema>> {
	const service = await startService({ sample: true });
	try {
		const previews = new Map<string, Schema>();
		for (const [resource, operations] of Object.entries(examples(service))) {
			for (const [operation, parameters] of Object.entries(operations)) {
				const records = await run(service, { resource, operation, ...parameters });
				previews.set(`${VERSION}/${resource}/${operation}.json`, schemaOf(records));
			}
		}
		previews.set(`${VERSION}.json`, schemaOf(await poll(service)));
		return previews;
	} finally {
		await service.close();
	}
}

/** A preview as stored in its file. */
export function textOf(schema: Schema): string {
	return `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`;
}

function credentialsOf({ url, clientId, subscriptionKey, accessToken }: SimulatedService) {
	const data = { baseUrl: url, clientId, subscriptionApiKey: subscriptionKey, accessToken };
	return { engagementUploadsApi: { ...data, authentication: 'accessToken' } };
}

async function run(service: SimulatedService, parameters: object): Promise<unknown[]> {
	const credentials = credentialsOf(service);
	const { items, error } = await runNode({ parameters: { ...parameters }, credentials });
	if (error !== undefined) throw new Error(`${JSON.stringify(parameters)}: ${error.message}`);
	return items.map(({ json }) => json);
}

async function poll(service: SimulatedService): Promise<unknown[]> {
	const parameters = { startFrom: 'beginning' };
	const items = await createPoller({ parameters, credentials: credentialsOf(service) }).poll();
	return (items ?? []).map(({ json }) => json);
}
