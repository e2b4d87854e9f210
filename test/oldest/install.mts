/** Installs the engine of the oldest supported n8n, on first use only: about a minute and 350 MB. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { runCommand } from '../n8n/process/command.mts';

const SOURCE = path.resolve('test/oldest');
// A hidden folder, since `n8n-node build` copies the images in all others into the package.
const FOLDER = path.join(SOURCE, '.installed');
/** Written last, so that an interrupted installation is repeated. */
const STAMP = path.join(FOLDER, 'node_modules', '.complete');
const FILES = ['package.json', 'package-lock.json'];
const FLAGS = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];

const wanted = FILES.map((name) => readFileSync(path.join(SOURCE, name), 'utf8')).join('\n');
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
	console.log('Installing the engine of the oldest supported n8n …');
	mkdirSync(FOLDER, { recursive: true });
	for (const name of FILES) copyFileSync(path.join(SOURCE, name), path.join(FOLDER, name));
	await runCommand('npm', ['ci', ...FLAGS, '--loglevel=error'], { cwd: FOLDER });
	writeFileSync(STAMP, wanted);
}
