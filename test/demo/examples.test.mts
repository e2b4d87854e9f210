import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { IExecuteFunctions, INode, INodeType } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { n8n } from '../support/engine/n8n.mts';
import { runWorkflow } from '../support/engine/run.mts';
import type { EngineTypes } from '../support/engine/types.mts';
import { ownTypes, PACKAGE, typesOf } from '../support/engine/types.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { startService } from '../support/service/http.mts';
import { credentialsFor } from './context.mts';
import { readExample, runnableExample, SHOWCASES } from './workflows.mts';

const FILES = readdirSync('examples').map((file) => path.basename(file, '.json'));
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** A stand-in for n8n's HTTP Request node: returns the body that it would post. */
class Notifier implements INodeType {
	description = {
		name: 'httpRequest',
		displayName: 'Notifier',
		group: ['output' as const],
		version: 4.2,
		description: '',
		defaults: { name: 'Notifier' },
		inputs: ['main' as const],
		outputs: ['main' as const],
		properties: [{ displayName: 'Body', name: 'jsonBody', type: 'string' as const, default: '' }],
	};

	async execute(this: IExecuteFunctions) {
		const bodies = this.getInputData().map((_, index) => this.getNodeParameter('jsonBody', index));
		return [bodies.map((body) => ({ json: { body } }))];
	}
}

let service: SimulatedService;

beforeAll(async () => {
	service = await startService({ sample: true, settings: { uploadDurationMs: 20 } });
});

afterAll(async () => await service.close());

describe.each(FILES)('examples/%s.json', (file) => {
	const { nodes, connections, name } = readExample(file);
	const working = nodes.filter(({ type }) => type !== STICKY_NOTE);

	it('has a name and notes, and contains no credentials', () => {
		expect(name).toMatch(/\w/);
		expect(nodes.length - working.length).toBeGreaterThan(1);
		expect(nodes.filter((node) => node.credentials !== undefined)).toEqual([]);
	});

	it('connects all its nodes, starting from its triggers', () => {
		const targets = Object.values(connections)
			.flatMap(({ main }) => main?.flat() ?? [])
			.map((connection) => connection?.node);
		const triggers = working.filter(({ type }) => /(trigger|webhook)$/i.test(type));
		const reached = new Set([...targets, ...triggers.map((node) => node.name)]);
		expect(triggers).not.toEqual([]);
		expect([...reached].sort()).toEqual(working.map((node) => node.name).sort());
	});

	it("uses this package's nodes with existing parameters", async () => {
		const types = await ownTypes();
		const ours = working.filter(({ type }) => type.startsWith(PACKAGE));
		expect(ours).not.toEqual([]);
		for (const node of ours) checkParameters(types, node);
	});
});

function checkParameters(types: EngineTypes, node: INode): void {
	const { description } = types.getByNameAndVersion(node.type, node.typeVersion);
	// n8n adds the poll times to every polling node itself.
	const { pollTimes: _, ...given } = node.parameters;
	const { properties } = description;
	const known = n8n.NodeHelpers.getNodeParameters(
		properties,
		given,
		true,
		false,
		node,
		description,
	);
	expect(known).toMatchObject(given);
	expect(n8n.NodeHelpers.getNodeParametersIssues(properties, node, description)).toBeNull();
}

describe('run against the simulated service', () => {
	it.each(SHOWCASES)('$file returns items to show', async ({ file, rows }) => {
		const result = await runWorkflow(runnableExample(file), {
			credentials: credentialsFor(service),
		});
		expect(result.error).toBeUndefined();
		const shown = rows(result);
		expect(shown.length).toBeGreaterThan(0);
		expect(Object.values(shown[0] ?? {})).not.toContain(undefined);
	});

	it('onboard-customer returns the existing engagement when it runs again', async () => {
		const before = service.model.engagements.all.length;
		const example = runnableExample('onboard-customer');
		const create = example.nodes.find(({ name }) => name === 'Create Engagement');
		Object.assign(create?.parameters.additionalFields ?? {}, { externalEngagementId: 'NEW-1' });
		for (let run = 1; run <= 2; run += 1) {
			const { error } = await runWorkflow(example, { credentials: credentialsFor(service) });
			expect(error).toBeUndefined();
		}
		expect(service.model.engagements.all).toHaveLength(before + 1);
	});

	it.each([
		['gets the upload that it names', (uploadId?: string) => ({ uploadId }), 1],
		['gets nothing without an upload ID', () => ({}), 0],
	])('upload-webhook: a call %s', async (_what, bodyFor, expected) => {
		const { uploadId } = service.model.uploads.all[0] ?? {};
		const { nodes, error } = await runWorkflow(runnableExample('upload-webhook'), {
			credentials: credentialsFor(service),
			start: { node: 'Get Upload', items: [{ json: { body: bodyFor(uploadId) } }] },
		});
		expect(error).toBeUndefined();
		const found = nodes['Get Upload']?.map(({ json }) => json.uploadId);
		expect(found).toEqual(Array(expected).fill(uploadId));
	});

	it('refresh-then-notify reports success and failure', async () => {
		service.model.refreshOutcomes.set(1009, 'fails');
		const example = readExample('refresh-then-notify');
		const refresh = example.nodes.find(({ name }) => name === 'Refresh and Wait');
		Object.assign(refresh?.parameters.options ?? {}, { waitInterval: 0.1 });
		const { nodes, error } = await runWorkflow(example, {
			types: withNotifier(),
			credentials: credentialsFor(service),
			start: { node: 'List Engagements', items: [{ json: {} }] },
		});
		expect(error).toBeUndefined();
		const bodies = (name: string) => nodes[name]?.map(({ json }) => json.body);
		expect(bodies('Report Success')).toEqual([
			expect.stringMatching(/^\{"text":"Engagement 1008: .*upload [0-9a-f-]{36} is complete"\}$/),
		]);
		expect(bodies('Report Failure')).toEqual([
			expect.stringMatching(/^\{"text":"Data refresh failed: .*engagement 1009/),
		]);
	});
});

function withNotifier(): EngineTypes {
	return typesOf({
		nodes: {
			engagementUploads: EngagementUploads,
			'n8n-nodes-base.httpRequest': Notifier,
			'n8n-nodes-base.scheduleTrigger': Notifier,
		},
		credentials: { engagementUploadsApi: EngagementUploadsApi },
	});
}
