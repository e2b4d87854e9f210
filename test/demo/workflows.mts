import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { ExportedWorkflow } from '../support/engine/run.mts';

/** An example workflow as it is imported into n8n. */
export function readExample(file: string): ExportedWorkflow & { name: string } {
	const text = readFileSync(path.resolve('examples', `${file}.json`), 'utf8');
	return JSON.parse(text) as ExportedWorkflow & { name: string };
}
