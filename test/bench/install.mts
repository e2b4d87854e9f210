import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runCommand } from '../n8n/command.mts';

const SOURCE = path.resolve('test/bench');
/** A hidden folder, since `n8n-node build` copies the images in all others into the package. */
const FOLDER = path.join(SOURCE, '.installed');
const MODULES = path.join(FOLDER, 'node_modules');
const NODES_BASE = path.join(MODULES, 'n8n-nodes-base');
/** Written last, so that an interrupted installation is repeated. */
const STAMP = path.join(MODULES, '.complete');
const NPM_FLAGS = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
const TAKEN = [
	'package/package.json',
	'package/dist/nodes/HttpRequest',
	'package/dist/utils',
	'package/dist/credentials/HttpHeaderAuth.credentials.js',
];

/** The package file of the benchmark's installation, from which modules are resolved. */
export const INSTALLED = path.join(FOLDER, 'package.json');

/** Installs the dependencies in the lock file, unless they are installed already. */
export async function installBench(): Promise<void> {
	const names = ['package.json', 'package-lock.json'];
	const wanted = names.map((name) => readFileSync(path.join(SOURCE, name), 'utf8')).join('\n');
	if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
	await mkdir(FOLDER, { recursive: true });
	for (const name of names) await copyFile(path.join(SOURCE, name), path.join(FOLDER, name));
	await runCommand('npm', ['ci', ...NPM_FLAGS, '--loglevel=error'], { cwd: FOLDER });
	await takeHttpRequestNode();
	await writeFile(STAMP, wanted);
}

/**
 * n8n-nodes-base has 1 GB of dependencies and its own n8n-workflow. Only the HTTP Request node's
 * files are copied, so that they resolve n8n-workflow from the root's node_modules, as this
 * project's nodes and n8n-core do, and all share one copy of its classes.
 */
async function takeHttpRequestNode(): Promise<void> {
	const { httpRequestNode } = JSON.parse(readFileSync(INSTALLED, 'utf8')) as {
		httpRequestNode: { package: string; integrity: string };
	};
	const pack = ['pack', httpRequestNode.package, '--json', '--loglevel=error'];
	const [packed] = JSON.parse(await runCommand('npm', pack, { cwd: FOLDER })) as Array<{
		filename: string;
		integrity: string;
	}>;
	if (packed?.integrity !== httpRequestNode.integrity) {
		throw new Error(`${httpRequestNode.package} is not what test/bench/package.json names`);
	}
	await mkdir(NODES_BASE, { recursive: true });
	const unpack = ['-xzf', packed.filename, '-C', NODES_BASE, '--strip-components=1', ...TAKEN];
	await runCommand('tar', unpack, { cwd: FOLDER });
	await rm(path.join(FOLDER, packed.filename));
}
