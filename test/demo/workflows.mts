import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IConnection } from 'n8n-workflow';

import type { ExportedWorkflow } from '../support/engine/run.mts';
import { MANUAL_TRIGGER, PACKAGE } from '../support/engine/types.mts';

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
