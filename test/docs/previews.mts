import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { examples, targetOf } from '../support/examples.mts';
import { pollerOf } from '../support/polls.mts';
import { jsonOf, outputOf } from '../support/runs.mts';
import { startService } from '../support/service/http.mts';
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
		const emitted = await pollerOf(service, { startFrom: 'beginning' }).poll();
		previews.set(`${TRIGGER}.json`, schemaOf(jsonOf(emitted ?? [])));
		return previews;
	} finally {
		await service.close();
	}
}

/** A preview as stored in its file. */
export function textOf(schema: Schema): string {
	return `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`;
}
