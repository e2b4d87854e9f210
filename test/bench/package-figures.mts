import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { MEASURED_PACKAGE } from './install.mts';
import { median } from './measure.mts';

/** The cost of the package before it does anything. */
export interface PackageFigures {
	/**
	 * ms to load both nodes and the credential in a process that has already loaded n8n-workflow
	 */
	loadMs: number;
	distBytes: number;
	distFiles: number;
}

const LOADS = 5;
const LOADER = `
	require('n8n-workflow');
	const { n8n } = require('./package.json');
	const startedAt = performance.now();
	for (const file of [...n8n.nodes, ...n8n.credentials]) require('./' + file);
	console.log(performance.now() - startedAt);
`;

/** Measures the built package. */
export async function packageFigures(): Promise<PackageFigures> {
	const loads: number[] = [];
	for (let load = 0; load < LOADS; load += 1) {
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', LOADER], {
			cwd: MEASURED_PACKAGE,
		});
		loads.push(Number(stdout));
	}
	const entries = await readdir(path.join(MEASURED_PACKAGE, 'dist'), {
		recursive: true,
		withFileTypes: true,
	});
	const files = entries.filter((entry) => entry.isFile());
	const sizes = await Promise.all(
		files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size),
	);
	const distBytes = sizes.reduce((sum, size) => sum + size, 0);
	return { loadMs: median(loads), distBytes, distFiles: files.length };
}
