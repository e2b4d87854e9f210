import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { CREDENTIAL, credentialOf } from '../support/credentials.mts';
import { examples, targetOf } from '../support/examples.mts';
import { createPoller } from '../support/engine/poll.mts';
import { runNode } from '../support/engine/run.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { schemaOf, type Schema } from './schema.mts';

/** The name of the previews of a node's newest version; those of older versions stay as they are. */
function versionOf({ description }: { description: { version: number | number[] } }): string {
	return `v${Math.max(...[description.version].flat())}.0.0`;
}

const ACTIONS = versionOf(new EngagementUploads());
const TRIGGER = versionOf(new EngagementUploadsTrigger());

/** Output previews by file name, derived from what the nodes return for the simulated service. */
export async function derivePreviews(): Promise<Map<string, Schema>> {
	const service = await startService({ sample: true });
	try {
		const previews = new Map<string, Schema>();
		const target = targetOf(service);
		for (const operation of operations) {
			const own = examples.filter((example) => example.operation === operation);
			const records = [];
			for (const { parameters } of own)
				records.push(...(await outputOf(service, { ...parameters(target), returnAll: true })));
			const file = `${ACTIONS}/${operation.resource}/${operation.operation}.json`;
			previews.set(file, schemaOf(records));
		}
		previews.set(`${TRIGGER}.json`, schemaOf(await poll(service)));
		return previews;
	} finally {
		await service.close();
	}
}

/** A preview as stored in its file. */
export function textOf(schema: Schema): string {
	return `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`;
}

async function outputOf(service: SimulatedService, parameters: object): Promise<unknown[]> {
	const credentials = { [CREDENTIAL]: credentialOf(service) };
	const { items, error } = await runNode({ parameters: { ...parameters }, credentials });
	if (error !== undefined) throw new Error(`${JSON.stringify(parameters)}: ${error.message}`);
	return items.map(({ json }) => json);
}

async function poll(service: SimulatedService): Promise<unknown[]> {
	const credentials = { [CREDENTIAL]: credentialOf(service) };
	const parameters = { startFrom: 'beginning' };
	const items = await createPoller({ parameters, credentials }).poll();
	return (items ?? []).map(({ json }) => json);
}
