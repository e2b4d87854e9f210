import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IConnection, IDataObject } from 'n8n-workflow';

import type { ExportedWorkflow, WorkflowResult } from '../support/engine/run.mts';
import { MANUAL_TRIGGER, PACKAGE } from '../support/engine/types.mts';
import type { Row } from './report.mts';

/** An example workflow that the demo runs, and the part of its result that is shown. */
export interface Showcase {
	/** In `examples/`, without its extension. */
	file: string;
	rows: (result: WorkflowResult) => Row[];
}

/** The example workflows that start with a manual trigger. */
export const SHOWCASES: Showcase[] = [
	{ file: 'last-uploads', rows: lastUploads },
	{ file: 'onboard-customer', rows: startedUpload },
	{ file: 'refresh-and-wait', rows: refreshedUpload },
];

/**
 * An example without the nodes that do not run here, such as n8n's own that filter or send email;
 * what follows them follows the node before.
 */
export function runnableExample(file: string): ReturnType<typeof readExample> {
	const { nodes, connections, ...example } = readExample(file);
	const kept = nodes.filter(({ type }) => type === MANUAL_TRIGGER || type.startsWith(PACKAGE));
	const names = new Set(kept.map(({ name }) => name));
	const follow = (targets: IConnection[] | null): IConnection[] =>
		(targets ?? []).flatMap((target) =>
			names.has(target.node) ? [target] : (connections[target.node]?.main ?? []).flatMap(follow),
		);
	const links = kept.map(({ name }) => [
		name,
		{ main: (connections[name]?.main ?? []).map(follow) },
	]);
	return { ...example, nodes: kept, connections: Object.fromEntries(links) };
}

/** An example workflow as it is imported into n8n. */
export function readExample(file: string): ExportedWorkflow & { name: string } {
	const text = readFileSync(path.resolve('examples', `${file}.json`), 'utf8');
	return JSON.parse(text) as ExportedWorkflow & { name: string };
}

// Each last upload is matched to its engagement through n8n's item pairing.
function lastUploads({ nodes }: WorkflowResult): Row[] {
	const engagements = nodes['List Engagements'] ?? [];
	return (nodes['Get Last Uploads'] ?? []).map(({ json, pairedItem }) => {
		const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1;
		return {
			engagement: json.engagementId,
			name: engagements[index]?.json.name,
			connector: json.connectorName,
			status: json.uploadStatus,
			completed: json.completionDate,
		};
	});
}

function startedUpload({ nodes }: WorkflowResult): Row[] {
	const [created] = nodes['Create Engagement'] ?? [];
	return (nodes['Start Upload'] ?? []).map(({ json }) => ({
		engagement: json.engagementId,
		name: created?.json.name,
		'external ID': created?.json.externalEngagementId,
		connector: json.connectorName,
		'link for the customer': json.url,
	}));
}

function refreshedUpload({ nodes }: WorkflowResult): Row[] {
	return (nodes['Refresh and Wait'] ?? []).map(({ json }) => {
		const upload = (json.upload ?? {}) as IDataObject;
		return {
			engagement: json.engagementId,
			connector: json.connectorName,
			'response of the service': json.action,
			'new upload': upload.uploadId,
			status: upload.uploadStatus,
			completed: upload.completionDate,
		};
	});
}
