/**
 * Installs the engines of older lines of n8n side by side, on first use only: about two minutes and
 * 250 to 440 MB each.
 */
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';

import { runCommand } from '../n8n/command.mts';

const FOLDER = path.resolve('test/lines');
const FILES = ['package.json', 'package-lock.json'];
const FLAGS = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];

async function install(line: string): Promise<void> {
	const source = path.join(FOLDER, line);
	// A hidden folder, since `n8n-node build` copies the images in all others into the package.
	const folder = path.join(FOLDER, '.installed', line);
	// Written last, so that an interrupted installation is repeated.
	const stamp = path.join(folder, 'node_modules', '.complete');
	const wanted = FILES.map((name) => readFileSync(path.join(source, name), 'utf8')).join('\n');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
	console.log(`Installing the engine of n8n ${line} …`);
	mkdirSync(folder, { recursive: true });
	for (const name of FILES) copyFileSync(path.join(source, name), path.join(folder, name));
	await runCommand('npm', ['ci', ...FLAGS, '--loglevel=error'], { cwd: folder });
	writeFileSync(stamp, wanted);
}

async function main(): Promise<void> {
	await Promise.all(
		readdirSync(FOLDER)
			.filter((name) => /^\d/.test(name))
			.map(install),
	);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
