/** The output previews, which the editor shows before a node has run; `npm run docs` writes them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { isObject } from '../../nodes/EngagementUploads/values/objects.ts';
import { examples, toTarget } from '../support/world/examples.mts';
import { makePoller } from '../support/engine/polls.mts';
import { toJson, readOutput } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';

useVirtualTime();

/** Where the editor looks for previews. */
const FOLDER = 'nodes/EngagementUploads/__schema__';

/** The part of JSON Schema that n8n's output previews use. */
interface Schema {
	type?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** The folder or file of a node's newest version; the previews of older versions stay as they are. */
function readVersion({ description }: { description: { version: number | number[] } }): string {
	return `v${Math.max(...[description.version].flat())}.0.0`;
}

/** The schema that all values match; null is ignored, since any value may be null. */
function toSchema(values: unknown[]): Schema {
	const objects = values.filter(isObject);
	const lists = values.filter((value) => Array.isArray(value));
	return {
		...(values.length > 0 && { type: commonType(values) }),
		...(objects.length > 0 && { properties: toSchemaProperties(objects) }),
		...(lists.length > 0 && { items: toSchema(lists.flat()) }),
	};
}

function toSchemaProperties(objects: Array<Record<string, unknown>>): Record<string, Schema> {
	const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
	const present = (name: string) => objects.filter((object) => name in object);
	return Object.fromEntries(
		names.map((name) => [name, toSchema(present(name).map((object) => object[name]))]),
	);
}

/** The editor shows one type per field. */
function commonType(values: unknown[]): string {
	const [type = 'null', ...others] = new Set(
		values.map(schemaType).filter((each) => each !== 'null'),
	);
	if (others.length === 0) return type;
	return [type, ...others].sort().join() === 'integer,number' ? 'number' : 'string';
}

function schemaType(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** What a refresh returns if it waits, and if the customer must act first. */
async function refreshInOtherWays(service: SimulatedService): Promise<unknown[]> {
	const { engagementId, connectorName } = toTarget(service);
	const refresh = { resource: 'dataRefresh', operation: 'run', engagementId, connectorName };
	service.settings.uploadDurationMs = 0;
	const waited = await readOutput(service, { ...refresh, waitForCompletion: true });
	service.model.refreshOutcomes.set(engagementId, 'actionRequired');
	const acting = await readOutput(service, refresh);
	service.model.refreshOutcomes.clear();
	return [...waited, ...acting];
}

/** What Get Steps returns by default. */
async function readSteps(service: SimulatedService): Promise<unknown[]> {
	const { engagementId, uploadId } = toTarget(service);
	const steps = { resource: 'upload', operation: 'getWorkflow', engagementId, uploadId };
	return await readOutput(service, steps);
}

/** The previews by file, derived from what the nodes return for the sample data. */
async function derivePreviews(): Promise<Map<string, Schema>> {
	const [actions, trigger] = [new EngagementUploads(), new EngagementUploadsTrigger()];
	const previews = new Map<string, Schema>();
	const service = await startService({ sample: true });
	const target = toTarget(service);
	for (const operation of operations) {
		const records: unknown[] = [];
		for (const { parameters } of examples.filter((each) => each.operation === operation))
			records.push(...(await readOutput(service, { ...parameters(target), returnAll: true })));
		if (operation.operation === 'run') records.push(...(await refreshInOtherWays(service)));
		if (operation.operation === 'getWorkflow') records.push(...(await readSteps(service)));
		const file = `${readVersion(actions)}/${operation.resource}/${operation.operation}.json`;
		previews.set(file, toSchema(records));
	}
	const emitted = await makePoller(service, { startFrom: 'beginning' }).poll();
	previews.set(`${readVersion(trigger)}.json`, toSchema(toJson(emitted ?? [])));
	await service.close();
	return previews;
}

it('there is an up-to-date preview for each operation and for the trigger, and no other', async () => {
	const previews = await derivePreviews();
	for (const [name, schema] of previews) {
		if (!('properties' in schema))
			throw new Error(
				`${name} is empty: add records to test/support/service/sample.mts, for every engagement that has an upload. Then run: npm run docs`,
			);
		const file = path.join(FOLDER, name);
		const text = `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`;
		if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
		if (process.env.DOCS !== 'write') throw new Error(`${file} is out of date. Run: npm run docs`);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	const versions = new Set([...previews.keys()].map((name) => name.split('/')[0]));
	const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
	const newest = files.filter(
		(name) => name.endsWith('.json') && versions.has(name.split(path.sep)[0]),
	);
	expect(newest.sort()).toEqual([...previews.keys()].sort());
});
