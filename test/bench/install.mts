import { existsSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runCommand } from '../n8n/command.mts';

const SOURCE = path.resolve('test/bench');
/** A hidden folder, since `n8n-node build` takes the pictures of all others into the package. */
const FOLDER = path.join(SOURCE, '.installed');
const MODULES = path.join(FOLDER, 'node_modules');
const NODES_BASE = path.join(MODULES, 'n8n-nodes-base');
/** Written last, so that an installation that was cut short is done again. */
const STAMP = path.join(MODULES, '.complete');
const NPM_FLAGS = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
const TAKEN = [
	'package/package.json',
	'package/dist/nodes/HttpRequest',
	'package/dist/utils',
	'package/dist/credentials/HttpHeaderAuth.credentials.js',
];

/** The package file of what the benchmark has installed, from where its modules are found. */
export const INSTALLED = path.join(FOLDER, 'package.json');
/** The built package that is measured: a copy, which a build in the meantime does not change. */
export const MEASURED_PACKAGE = path.join(FOLDER, 'package');

/** Takes the copy of the built package. */
export async function copyPackage(): Promise<void> {
	if (!existsSync('dist/nodes')) {
		throw new Error('The package is not built: run `npm run build` first');
	}
	await rm(MEASURED_PACKAGE, { recursive: true, force: true });
	await mkdir(MEASURED_PACKAGE, { recursive: true });
	await copyFile('package.json', path.join(MEASURED_PACKAGE, 'package.json'));
	for (const folder of ['nodes', 'credentials']) {
		const inDist = path.join('dist', folder);
		await cp(inDist, path.join(MEASURED_PACKAGE, inDist), { recursive: true });
	}
}

/** Installs what the lock file and the package file name, unless it is there already. */
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

/*
 * n8n-nodes-base has 1 GB of dependencies and brings an n8n-workflow of its own. Only the HTTP
 * Request node's files are taken out of it, so that they find n8n-workflow where this project's
 * nodes and n8n-core find it, in the root's node_modules: one copy of its classes for all.
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
